import type { Line } from '../../driver/records.mjs';
import { meanOf, medianOf } from '../../measures/mean.ts';
import type { Found, Measured } from './found.ts';

/** So many processes beside the measurement's own threads may run or wait where times count. */
const CALM = 1;
/** Where fewer items were measured on a calm machine than this, times are those of all. */
const MIN_CALM = 10;

/** Prompts of so many tokens are listed by themselves. */
const LONG_TOKENS = 800;

/** What was measured of an item, and how busy the machine was. */
interface Item {
  readonly load: number;
  readonly value: Measured;
}

/** Items that are listed together. */
interface Group {
  readonly name: string;
  readonly items: readonly Item[];
}

/** A column's title, and what it says of a budget. */
type Column = readonly [title: string, cell: (budget: string) => string];

/**
 * Tables of the records of one evaluation, as they stand in `docs/benchmarks.md`.
 *
 * @returns Markdown
 * @throws {RangeError} without records
 */
export function budgetTables(lines: readonly Line[]): string {
  // Written by `measureBudgets`.
  const items = lines as readonly (Line & Item)[];
  const [first] = items;
  if (!first) throw new RangeError('expected at least one record, got none');
  const lengths = [...new Set(items.flatMap(({ value }) => value.length ?? []))];
  const groups = lengths.map((name) => ({ name, items: items.filter(({ value }) => value.length === name) }));
  const timed = timedOf(items);
  const budgets = Object.keys(first.value.found);
  const byLength = groups.length > 0 ? [lengthColumns(groups), timeColumns(timed, groups)] : [];
  const margins = marginColumns([{ name: 'all', items }, ...groups]);
  const tables = [costColumns(items, timed), ...byLength, margins];
  return [saidOf(items, timed), ...tables.map((columns) => tableOf(budgets, columns))].join('\n\n');
}

function timedOf(items: readonly Item[]): readonly Item[] {
  const calm = items.filter(({ load, value }) => load <= value.cores + CALM);
  return calm.length >= MIN_CALM ? calm : items;
}

function saidOf(items: readonly Item[], timed: readonly Item[]): string {
  const load = medianOf(timed.map((item) => item.load)).toFixed(1);
  const cores = [...new Set(timed.map(({ value }) => value.cores))].toSorted().join(' or ');
  return `Measured: ${items.length}. Times: medians of ${timed.length}, processors ${cores}, median load ${load}.`;
}

function costColumns(items: readonly Item[], timed: readonly Item[]): Column[] {
  return [
    ['positions', (budget) => mean(figures(items, budget, 'spent'))],
    ['time', (budget) => median(figures(timed, budget, 'time'))],
    ['of the five greatest, exact', (budget) => withError(figures(items, budget, 'confirmed'))],
    ['in that share of the time', (budget) => mean(figures(timed, budget, 'confirmedInTime'))],
    ['by attention', (budget) => mean(figures(items, budget, 'byAttention'))],
    ['by chance', (budget) => mean(figures(items, budget, 'byChance'))],
    ['all five exact', (budget) => mean(figures(items, budget, 'confirmed').map((share) => Number(share === 1)))],
    ['time until the greatest is shown', (budget) => median(figures(timed, budget, 'topTime'))],
  ];
}

/** What is exact, and behind it the same in order of attention and by chance. */
function lengthColumns(groups: readonly Group[]): Column[] {
  const compared = ['confirmed', 'byAttention', 'byChance'] as const;
  return groups.map(({ name, items }) => [
    `${name} (${items.length})`,
    (budget) => compared.map((figure) => mean(figures(items, budget, figure))).join(', '),
  ]);
}

/** Time, and behind it the time until the greatest is shown; the longest once more by themselves. */
function timeColumns(timed: readonly Item[], groups: readonly Group[]): Column[] {
  const own = groups.map(({ name, items }) => ({ name, items: items.filter((item) => timed.includes(item)) }));
  const longest = timed.filter(({ value: { tokens = 0 } }) => tokens >= LONG_TOKENS);
  const all = [...own, { name: `from ${LONG_TOKENS} tokens`, items: longest }];
  return all
    .filter(({ items }) => items.length > 0)
    .map(({ name, items }) => [
      `${name} (${items.length})`,
      (budget) => (['time', 'topTime'] as const).map((figure) => median(figures(items, budget, figure))).join(', '),
    ]);
}

function marginColumns(groups: readonly Group[]): Column[] {
  const [all] = groups;
  return [
    ...groups.map(({ name, items }): Column => [
      `within their margin, ${name}`,
      (budget) => withError(figures(items, budget, 'covered')),
    ]),
    ['median margin, nats', (budget) => median(figures(all?.items ?? [], budget, 'margin'), 3)],
  ];
}

/** Of the items that have it. */
function figures(items: readonly Item[], budget: string, figure: keyof Found): number[] {
  return items.flatMap(({ value }) => value.found[budget]?.[figure] ?? []);
}

/** Aligned, as the formatter leaves it. */
function tableOf(budgets: readonly string[], columns: readonly Column[]): string {
  const head = ['budget', ...columns.map(([title]) => title)];
  const body = budgets.map((budget) => [
    budget === 'auto' ? '`auto`' : budget,
    ...columns.map(([, cell]) => cell(budget)),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...body.map((cells) => cells[at]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(lineOf).join('\n');
}

function mean(values: readonly number[]): string {
  return values.length === 0 ? '' : meanOf(values).value.toFixed(2);
}

function withError(values: readonly number[]): string {
  if (values.length === 0) return '';
  const { value, error } = meanOf(values);
  return `${value.toFixed(2)} ± ${error.toFixed(2)}`;
}

function median(values: readonly number[], digits = 2): string {
  return values.length === 0 ? '' : medianOf(values).toFixed(digits);
}
