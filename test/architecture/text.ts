import type { Rule, SourceFile } from './source.ts';
import { isNode, nodesBelow, parse, stringOf, type Syntax, type SyntaxNode } from './syntax.ts';
import { placeOf } from './typing.ts';

const MAX_LINES = 350;

/** A file fits in a head. Oxlint says so for scripts; this rule covers styles, pages and Python as well. */
export const lengthRule: Rule = (files) =>
  files
    .filter(({ path }) => /\.(ts|tsx|mjs|css|html|py)$/.test(path))
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, ${MAX_LINES} allowed`);

/** Folders that exist on somebody's machine and nowhere else. Put together here, so that this file does not break its own rule. */
const MACHINE_PATH = new RegExp(String.raw`(?<![\w.:/-])(/(work|root|home|Users|mnt)/[\w.]|[A-Z]:\\\\?Users)`);

/** No path of one machine: the repository works wherever it was cloned. */
export const machinePathRule: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (MACHINE_PATH.test(line) ? [`${path}:${at + 1}: a path of one machine`] : [])),
  );

const SKIPPING = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fixme', 'fails', 'fail']);

/**
 * A skipped test says why: as the last argument, where the runner takes a reason, or in a comment on the line or right
 * above it. `only` is never left behind.
 */
export const skipRule: Rule = (files) =>
  files.flatMap((file) => {
    const syntax = parse(file);
    return nodesBelow(syntax.body)
      .filter((node) => node.type === 'CallExpression' && isSilent(file, syntax, node))
      .map((node) => `${placeOf(file, node.start)}: ${runnerOf(node)} without a reason`);
  });

function isSilent(file: SourceFile, syntax: Syntax, node: SyntaxNode): boolean {
  const runner = runnerOf(node);
  if (runner === 'only') return true;
  return runner !== undefined && SKIPPING.has(runner) && !hasReason(node) && !hasComment(file, syntax, node);
}

/** The `skip` of `it.skip(…)` and `it.skip.each(…)`, when the first name is a test runner's. */
function runnerOf({ callee }: SyntaxNode): string | undefined {
  const [root, ...names] = chainOf(callee);
  if (root === undefined || !/^(it|test|describe|suite|context|ctx|t)$/.test(root)) return undefined;
  return names.find((name) => name === 'only' || SKIPPING.has(name));
}

/** `['it', 'skip', 'each']` of `it.skip.each`. */
function chainOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'MemberExpression') return [...chainOf(node.object), ...chainOf(node.property)];
  return typeof node.name === 'string' ? [node.name] : [];
}

/** `test.skip(condition, 'why')` of Playwright: the last of two arguments is text. */
function hasReason({ arguments: given }: SyntaxNode): boolean {
  return Array.isArray(given) && given.length === 2 && stringOf(given[1]) !== undefined;
}

function hasComment(file: SourceFile, { comments }: Syntax, node: SyntaxNode): boolean {
  const lineOf = (position: number): number => file.text.slice(0, position).split('\n').length;
  return comments.some(({ end }) => [0, 1].includes(lineOf(node.start) - lineOf(end)));
}
