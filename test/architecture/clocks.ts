import { isNode, nodesBelow, parse, type SyntaxNode } from './syntax.ts';
import type { Rule } from './source.ts';
import { placeOf } from './typing.ts';

/** What reads a clock or processor time, by its object and its name. */
const CLOCKS = new Set([
  'performance.now',
  'performance.timeOrigin',
  'Date.now',
  'process.cpuUsage',
  'process.hrtime',
  'process.uptime',
  'console.time',
  'console.timeEnd',
]);

/**
 * No test reads a clock, so none can assert how long something takes: on a busy machine such a test fails without a
 * fault. Budgets are measured in `bench/`. A test of a clock's user hands in a clock of its own.
 */
export const clockRule: Rule = (files) =>
  files.flatMap((file) =>
    nodesBelow(parse(file).body).flatMap((node) => {
      const clock = clockOf(node);
      return clock === undefined ? [] : [`${placeOf(file, node.start)}: ${clock} in a test; measure in bench/`];
    }),
  );

/** `new Date()` without arguments is a clock too; with them it is a value. */
function clockOf({ type, object, property, callee, arguments: given }: SyntaxNode): string | undefined {
  if (type === 'MemberExpression') {
    const name = `${nameOf(object)}.${nameOf(property)}`;
    return CLOCKS.has(name) ? name : undefined;
  }
  const isNow = type === 'NewExpression' && nameOf(callee) === 'Date' && Array.isArray(given) && given.length === 0;
  return isNow ? 'new Date()' : undefined;
}

/** The last name of `performance` and of `globalThis.performance`. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return typeof node.name === 'string' ? node.name : '';
}
