import type { Row, Segment } from './line-parts.ts';

/** Baselines that differ by less than this many heights of letters are of one row. */
const SAME_ROW = 0.6;

/** Fewer labels below one another may be lines of prose that end so. */
const MIN_LABELS = 2;

/** Most lines of a value, on average. */
const MAX_LINES = 20;

/** Whether two segments are beside each other. */
export function isLevel(one: Segment | undefined, other: Segment): boolean {
  if (one?.angle !== other.angle) return false;
  return Math.abs(one.y - other.y) < SAME_ROW * Math.max(one.height, other.height);
}

/**
 * Rows with each value beside its label where a file draws a column of labels, such as `Tenant:`, and then that of their values.
 *
 * @param rows  in the order of the file
 */
export function withLabels(rows: readonly Segment[][]): Segment[][] {
  const result: Segment[][] = [];
  for (let at = 0; at < rows.length;) {
    const labels = labelsFrom(rows, at);
    const values = labels.length < MIN_LABELS ? null : valuesFrom(rows, at + labels.length, labels);
    const taken = values ?? rows.slice(at, at + Math.max(1, labels.length));
    for (const row of taken) result.push(row);
    at += values ? labels.length + values.length : taken.length;
  }
  return result;
}

/** The labels below one another that begin with a row. */
function labelsFrom(rows: readonly Row[], start: number): Segment[] {
  const labels: Segment[] = [];
  for (let at = start; at < rows.length; at++) {
    const [first, ...others] = rows[at] ?? [];
    const last = labels.at(-1);
    if (!first || others.length > 0 || !endsWithColon(first)) break;
    if (last && (last.angle !== first.angle || last.y <= first.y || isLevel(last, first))) break;
    labels.push(first);
  }
  return labels;
}

function endsWithColon({ runs }: Segment): boolean {
  return (
    runs
      .findLast(({ isBlank }) => !isBlank)
      ?.text.trimEnd()
      .endsWith(':') === true
  );
}

/** The rows of values, the first of each with its label; null if a label has none beside it. */
function valuesFrom(rows: readonly Segment[][], start: number, labels: readonly Segment[]): Segment[][] | null {
  const joined: Segment[][] = [];
  let next = 0; // of the labels
  for (const row of rows.slice(start, start + MAX_LINES * labels.length)) {
    const [first] = row;
    const label = labels[next];
    const isBeside = first && label && isLevel(label, first);
    if (!first || first.left < (labels[Math.max(0, next - 1)]?.right ?? 0) || (!isBeside && next === 0)) break;
    if (isBeside) next++;
    else if (!label || first.y < label.y) break; // below the last value, or below a label without one
    joined.push(isBeside ? [label, ...row] : row);
  }
  return next === labels.length ? joined : null;
}
