import { exportsIn } from '../architecture/docs.ts';
import { folderRule } from '../architecture/tree.ts';
import { readRepository, readTree, type SourceFile } from '../architecture/source.ts';
import { nodesBelow, parse } from '../architecture/syntax.ts';

/** Figures of the tree, as `npm run structure` prints them. */
export interface Structure {
  readonly files: number;
  readonly lines: number;
  /** Lines of a function with a body of its own: half are shorter, nine of ten are. */
  readonly functionMedian: number;
  readonly functionP90: number;
  /** Share of exports with a docstring, 0 … 1. */
  readonly documented: number;
  /** Folders of the repository with more entries than the architecture check allows. */
  readonly wideFolders: readonly string[];
}

/** Measures the app, `src`, `workers` and `server`, and the folders of the whole repository. */
export function measureStructure(): Structure {
  const app = readTree('src', 'workers', 'server').filter(({ path }) => /\.tsx?$/.test(path));
  const lengths = app.flatMap(functionLengths).toSorted((a, b) => a - b);
  const exported = exportsIn(app);
  return {
    files: app.length,
    lines: app.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0),
    functionMedian: quantile(lengths, 0.5),
    functionP90: quantile(lengths, 0.9),
    documented: exported.filter(({ isDocumented }) => isDocumented).length / exported.length,
    wideFolders: folderRule(readRepository()),
  };
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function functionLengths(file: SourceFile): number[] {
  return nodesBelow(parse(file).body)
    .filter(({ type }) => FUNCTIONS.has(type))
    .map(({ start, end }) => file.text.slice(start, end).split('\n').length)
    .filter((lines) => lines > 1);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
