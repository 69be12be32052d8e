import type { Rule, SourceFile } from './source.ts';
import { isNode, parse, type Syntax, type SyntaxNode } from './syntax.ts';
import { placeOf } from './typing.ts';

/** Rooms whose exports are read by people who never open the file. */
const FULLY_DOCUMENTED = /^(src\/(contract|protocol)|workers\/(kernels|engine))\//;

/** Share of exports with a docstring demanded everywhere else. */
const ELSEWHERE = 0.8;

/** A name that a file exports. */
export interface Exported {
  readonly name: string;
  readonly place: string;
  readonly isDocumented: boolean;
}

/** What crosses a line between rooms says what it is: shape, unit, edge. */
export const docRule: Rule = (files) => {
  const undocumented = (each: Exported): string => `${each.place}: ${each.name} has no docstring`;
  const strict = exportsIn(files.filter(({ path }) => FULLY_DOCUMENTED.test(path)));
  const others = exportsIn(files.filter(({ path }) => !FULLY_DOCUMENTED.test(path)));
  const bare = others.filter(({ isDocumented }) => !isDocumented);
  const isEnough = others.length - bare.length >= ELSEWHERE * others.length;
  return [...strict.filter(({ isDocumented }) => !isDocumented), ...(isEnough ? [] : bare)].map(undocumented);
};

/** Exports of the files, each once. */
export function exportsIn(files: readonly SourceFile[]): Exported[] {
  return files.flatMap((file) => {
    const syntax = parse(file);
    const found = syntax.body.flatMap((node) => namesOf(node).map((name) => describe(file, syntax, node, name)));
    return mergeOverloads(found);
  });
}

function describe(file: SourceFile, syntax: Syntax, node: SyntaxNode, name: string): Exported {
  return { name, place: placeOf(file, node.start), isDocumented: hasDocstring(file, syntax, node) };
}

/** A docstring ends where the export begins, with nothing but space between. */
function hasDocstring(file: SourceFile, { comments }: Syntax, node: SyntaxNode): boolean {
  return comments.some(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= node.start && file.text.slice(end, node.start).trim() === '',
  );
}

/** Names declared by an export statement; a list of names passed on has its docstrings elsewhere. */
function namesOf(node: SyntaxNode): string[] {
  if (node.type !== 'ExportNamedDeclaration' || !isNode(node.declaration)) return [];
  const { id, declarations } = node.declaration;
  const ids = Array.isArray(declarations) ? declarations.map((each) => each.id) : [id];
  return ids.map((each) => (isNode(each) && typeof each.name === 'string' ? each.name : '(pattern)'));
}

/** One docstring serves all overloads of a function. */
function mergeOverloads(found: readonly Exported[]): Exported[] {
  const documented = new Set(found.filter(({ isDocumented }) => isDocumented).map(({ name }) => name));
  return found
    .filter((each, at) => found.findIndex(({ name }) => name === each.name) === at)
    .map((each) => ({
      ...each,
      isDocumented: documented.has(each.name),
    }));
}
