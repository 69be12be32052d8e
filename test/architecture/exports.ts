import type { Fault, SourceFile } from './source.ts';
import { isNode, nodesBelow, parse, resolveFrom, stringOf, type SyntaxNode } from './syntax.ts';

/** Names that a file exports, each once, a type and a value of one name too. */
export function exportedNames(file: SourceFile): string[] {
  return [...new Set(parse(file).body.flatMap(namesOfExport))];
}

/**
 * Files that use each exported name of others, by `path: name`. What imports a module as a whole, later or as a namespace,
 * uses all of its names; what passes a name on uses it, too.
 */
export function usersOfExports(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map(files.map((file) => [file.path, exportedNames(file)]));
  const users = new Map<string, Set<string>>();
  for (const [path, exported] of names) for (const name of exported) users.set(`${path}: ${name}`, new Set());
  for (const file of files)
    for (const { target, used } of namedImports(file))
      for (const name of used ?? names.get(target) ?? [])
        if (target !== file.path) users.get(`${target}: ${name}`)?.add(file.path);
  return users;
}

/**
 * Files that export each name that more than one does. What passes a name on exports the same thing; the languages of one
 * text count as one file.
 */
export function repeatedNames(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, Map<string, string>>();
  for (const file of files)
    for (const name of ownNames(file)) {
      const at = places.get(name) ?? new Map<string, string>();
      places.set(name, at.set(textOf(file.path), file.path));
    }
  return new Map(
    [...places]
      .filter(([, at]) => at.size > 1)
      .map(([name, at]) => [name, [...at.values()]] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A name has one meaning: no two files export it. */
export function repeatedNameFaults(files: readonly SourceFile[]): Fault[] {
  return [...repeatedNames(files)].map(([key, paths]) => ({ key, message: `exported by ${paths.join(' and ')}` }));
}

/** Exported names that a file does not take from another one. */
function ownNames(file: SourceFile): string[] {
  return parse(file)
    .body.filter(({ source }) => !isNode(source))
    .flatMap(namesOfExport);
}

/** The tables of texts in all languages are one place: `src/words`, or `words.en.ts` beside `words.de.ts`. */
function textOf(path: string): string {
  return /\/words\.\w+\.ts$/.test(path) ? 'words' : path;
}

function namesOfExport(node: SyntaxNode): string[] {
  if (node.type === 'ExportDefaultDeclaration') return ['default'];
  if (node.type !== 'ExportNamedDeclaration') return [];
  const specifiers = nodesIn(node.specifiers).map(({ exported }) => nameOf(exported));
  if (!isNode(node.declaration)) return specifiers;
  const { id, declarations } = node.declaration;
  return Array.isArray(declarations) ? declarations.flatMap((each) => namesOfPattern(each.id)) : [nameOf(id)];
}

/** The names that a declaration binds: one, or those of a pattern. */
function namesOfPattern(pattern: unknown): string[] {
  if (isNode(pattern) && pattern.type === 'Identifier') return [nameOf(pattern)];
  return nodesBelow(pattern)
    .filter(({ type }) => type === 'Property')
    .map(({ value }) => nameOf(value));
}

/** What a file takes from each other file of the project: names, or undefined for all. */
function namedImports(file: SourceFile): { readonly target: string; readonly used: readonly string[] | undefined }[] {
  return nodesBelow(parse(file).body).flatMap((node) => {
    const specifier = IMPORTING.has(node.type) ? stringOf(node.source) : undefined;
    const target = specifier === undefined ? undefined : resolveFrom(file.path, specifier).target;
    return target === undefined ? [] : [{ target, used: usedNames(node) }];
  });
}

const IMPORTING = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ImportExpression', 'TSImportType']);

function usedNames(node: SyntaxNode): string[] | undefined {
  if (node.type === 'TSImportType') return isNode(node.qualifier) ? [nameOf(node.qualifier)] : undefined;
  if (node.type === 'ImportExpression') return undefined;
  const specifiers = nodesIn(node.specifiers);
  if (specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return undefined;
  return specifiers.map(({ imported, local }) => nameOf(imported ?? local));
}

function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : (stringOf(node) ?? '');
}
