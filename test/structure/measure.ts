import { exportedNames, repeatedNames, usersOfExports } from '../architecture/exports.ts';
import { exportsIn } from '../architecture/docs.ts';
import { folderRule, foldersOf, importsOfOtherPages } from '../architecture/tree.ts';
import { readApp, readRepository, type SourceFile } from '../architecture/source.ts';
import { importsOf, isNode, nodesBelow, parse } from '../architecture/syntax.ts';
import { anysOf, castsOf } from '../architecture/typing.ts';

/** Figures of the shipped code, `src`, `workers` and `server`, by what they count. `npm run structure` prints them. */
export type Structure = Readonly<Record<string, number | string | readonly string[]>>;

/** Measures shipped files; folders with too many entries are those of the whole repository. */
export function measureStructure(app = readApp(), repository = readRepository()): Structure {
  const lines = sum(app.map(linesOf));
  const documentable = exportsIn(app);
  return {
    files: app.length,
    lines,
    folders: new Set(app.flatMap(({ path }) => foldersOf(path))).size,
    'folders in a path, most': Math.max(...app.map(({ path }) => foldersOf(path).length)),
    'lines of a file, median / p90 / max': spread(app.map(linesOf)),
    'lines of a function, median / p90 / max': spread(app.flatMap(functionLengths)),
    ...connections(app),
    any: sum(app.map((file) => anysOf(file).length)),
    'casts per 1,000 lines': ((sum(app.map((file) => castsOf(file).length)) / lines) * 1000).toFixed(1),
    'literals spread into literals': sum(app.map(literalSpreads)),
    'exports with a docstring': share(
      documentable.filter(({ isDocumented }) => isDocumented).length,
      documentable.length,
    ),
    'imports from one page into another': app.flatMap(importsOfOtherPages),
    'folders with too many entries': folderRule(repository),
    'names exported by more than one file': [...repeatedNames(app).keys()],
  };
}

/** How files hang together. */
function connections(app: readonly SourceFile[]): Structure {
  const paths = new Set(app.map(({ path }) => path));
  const own = app.map((file) => [...new Set(importsOf(file).flatMap(({ target }) => target ?? []))]); // styles are among them
  const importers = new Map<string, number>();
  for (const target of own.flat().filter((each) => paths.has(each)))
    importers.set(target, (importers.get(target) ?? 0) + 1);
  const users = [...usersOfExports(app).values()].map(({ size }) => size);
  const exported = sum(app.map((file) => exportedNames(file).length));
  return {
    'own files that a file imports, median / p90 / max': spread(own.map(({ length }) => length)),
    'files with one importer': share([...importers.values()].filter((count) => count === 1).length, app.length),
    exports: exported,
    'exports with one user': share(users.filter((count) => count === 1).length, exported),
    'exports that no shipped file imports': users.filter((count) => count === 0).length,
  };
}

function linesOf({ text }: SourceFile): number {
  return text.trimEnd().split('\n').length;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Lines of each function that has more than one. */
function functionLengths(file: SourceFile): number[] {
  return nodesBelow(parse(file).body)
    .filter(({ type }) => FUNCTIONS.has(type))
    .map(({ start, end }) => file.text.slice(start, end).split('\n').length)
    .filter((lines) => lines > 1);
}

const LITERALS = new Set(['ArrayExpression', 'ObjectExpression']);

const SPREADS = new Set(['SpreadElement', 'JSXSpreadAttribute']);

/** Literals that are spread: `[...[a, b]]`, `{ ...{ a, b } }`, `f(...[a, b])`, `<A {...{ b }} />`. */
function literalSpreads(file: SourceFile): number {
  return nodesBelow(parse(file).body).filter(
    ({ type, argument }) => SPREADS.has(type) && isNode(argument) && LITERALS.has(argument.type),
  ).length;
}

/** Median, ninetieth percentile and greatest of some counts. */
function spread(counts: readonly number[]): string {
  const sorted = counts.toSorted((a, b) => a - b);
  return [0.5, 0.9, 1].map((part) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0).join(' / ');
}

function share(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(0)} %, ${part}`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
