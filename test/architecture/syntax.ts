import { posix } from 'node:path';
import { parseSync } from 'vite';
import type { SourceFile } from './source.ts';

/** A node of the syntax tree, as the parser inside Vite gives it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** What one file names of another, or of a library. */
export interface Import {
  /** As written, without a `?query`. */
  readonly specifier: string;
  /** Path from the repository's root, for a relative one. */
  readonly target?: string;
  /** Whether nothing is left of it once the types are erased. */
  readonly isTypeOnly: boolean;
}

/** A parsed file. */
export interface Syntax {
  readonly body: readonly SyntaxNode[];
  readonly comments: readonly {
    readonly type: string;
    readonly value: string;
    readonly start: number;
    readonly end: number;
  }[];
}

/** Rules that are given the same files share what was parsed of them. */
const parsed = new WeakMap<SourceFile, Syntax>();

/** @throws {Error} for a file that does not parse, since a rule that skips it would pass it */
export function parse(file: SourceFile): Syntax {
  const known = parsed.get(file);
  if (known) return known;
  const { program, comments, errors } = parseSync(file.path, file.text);
  const [first] = errors;
  if (first) throw new Error(`${file.path}: ${first.message}`);
  const syntax = { body: program.body as unknown as SyntaxNode[], comments };
  parsed.set(file, syntax);
  return syntax;
}

/** Every node below the given ones, parents first. */
export function nodesBelow(value: unknown): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const add = (each: unknown): void => {
    if (Array.isArray(each)) for (const item of each) add(item);
    else if (isNode(each)) {
      found.push(each);
      for (const field of Object.values(each)) if (typeof field === 'object') add(field);
    }
  };
  add(value);
  return found;
}

/** Whether a value found in the tree is itself a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** All imports of a file: static, dynamic, re-exports and `import('…')` in types. */
export function importsOf(file: SourceFile): Import[] {
  return nodesBelow(parse(file).body).flatMap((node) => {
    const specifier = IMPORTING.has(node.type) ? stringOf(node.source) : undefined;
    return specifier === undefined ? [] : [{ ...resolveFrom(file.path, specifier), isTypeOnly: isErased(node) }];
  });
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Files named by `new URL('…', import.meta.url)`, which is how a page names its workers. */
export function urlsOf(file: SourceFile): string[] {
  return nodesBelow(parse(file).body).flatMap((node) => {
    if (node.type !== 'NewExpression' || !isNode(node.callee) || node.callee.name !== 'URL') return [];
    const [first] = Array.isArray(node.arguments) ? node.arguments : [];
    const text = stringOf(first);
    return text === undefined ? [] : [resolveFrom(file.path, text).target ?? text];
  });
}

/** The text of a string literal, or of a template without holes. */
export function stringOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TSLiteralType') return stringOf(node.literal);
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length !== 1) return undefined;
  return node.quasis[0].value.cooked;
}

/** What a file names by a specifier, see `Import`. */
export function resolveFrom(from: string, written: string): Omit<Import, 'isTypeOnly'> {
  const specifier = written.replace(/[?#].*$/, '');
  if (!specifier.startsWith('.')) return { specifier };
  return { specifier, target: posix.join(posix.dirname(from), specifier) };
}

function isErased(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type') return true;
  const names: unknown[] = Array.isArray(node.specifiers) ? node.specifiers : [];
  return names.length > 0 && names.every((name) => isNode(name) && (name.importKind ?? name.exportKind) === 'type');
}
