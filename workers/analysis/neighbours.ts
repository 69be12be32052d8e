import type { DuplicateGroup } from '../../src/protocol/analysis-tasks.ts';
import type { Rows } from './rows.ts';

/** The nearest rows of each row except itself, nearest first. */
export interface Neighbours {
  readonly perRow: number;
  /** `[rows, perRow]` */
  readonly indices: Int32Array;
  /** Inner products, `[rows, perRow]`. */
  readonly cosines: Float32Array;
}

/** Rows per block: two blocks fit into the processor's cache. */
const BLOCK = 128;

/** The nearest rows by inner product, exactly. @param most  neighbours per row; fewer if there are fewer rows */
export async function nearestOf(
  rows: Rows,
  most: number,
  pause: () => Promise<void>,
  progress: (done: number, total: number) => void,
): Promise<Neighbours> {
  const perRow = Math.max(0, Math.min(most, rows.count - 1));
  const nearest = {
    perRow,
    indices: new Int32Array(rows.count * perRow).fill(-1),
    cosines: new Float32Array(rows.count * perRow).fill(-Infinity),
  };
  if (perRow === 0) return nearest;
  const blocks = Math.ceil(rows.count / BLOCK);
  const total = (blocks * (blocks + 1)) / 2;
  let done = 0;
  for (let first = 0; first < blocks; first++) {
    for (let second = first; second < blocks; second++) {
      compareBlocks(rows, first * BLOCK, second * BLOCK, nearest);
      done++;
      await pause();
    }
    progress(done, total);
  }
  return nearest;
}

function compareBlocks(rows: Rows, first: number, second: number, nearest: Neighbours): void {
  const [firstEnd, secondEnd] = [Math.min(first + BLOCK, rows.count), Math.min(second + BLOCK, rows.count)];
  for (let a = first; a < firstEnd; a++)
    for (let b = Math.max(second, a + 1); b < secondEnd; b++) {
      const cosine = product(rows, a, b);
      insert(nearest, a, b, cosine);
      insert(nearest, b, a, cosine);
    }
}

/** Four independent sums, so that the processor does not wait for each addition. */
function product({ values, width }: Rows, a: number, b: number): number {
  const [from, to] = [a * width, b * width];
  let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
  let at = 0;
  for (; at + 3 < width; at += 4) {
    sum0 += (values[from + at] ?? 0) * (values[to + at] ?? 0);
    sum1 += (values[from + at + 1] ?? 0) * (values[to + at + 1] ?? 0);
    sum2 += (values[from + at + 2] ?? 0) * (values[to + at + 2] ?? 0);
    sum3 += (values[from + at + 3] ?? 0) * (values[to + at + 3] ?? 0);
  }
  for (; at < width; at++) sum0 += (values[from + at] ?? 0) * (values[to + at] ?? 0);
  return sum0 + sum1 + sum2 + sum3;
}

/** Inserts a row into the sorted list of another if it is near enough; of equally near rows the earlier comes first. */
function insert({ perRow, indices, cosines }: Neighbours, of: number, other: number, cosine: number): void {
  const start = of * perRow;
  let at = start + perRow - 1;
  if (cosine <= (cosines[at] ?? Infinity)) return;
  while (at > start && (cosines[at - 1] ?? Infinity) < cosine) {
    cosines[at] = cosines[at - 1] ?? 0;
    indices[at] = indices[at - 1] ?? -1;
    at--;
  }
  cosines[at] = cosine;
  indices[at] = other;
}

/**
 * Groups of rows in which every row has a neighbour with at least this cosine. Any number of equal rows is found, because
 * each is among the neighbours of another.
 *
 * @param least  cosine, −1 to 1
 * @returns      groups of two or more, the most similar first
 */
export function duplicateGroups({ perRow, indices, cosines }: Neighbours, least: number): DuplicateGroup[] {
  const parents = new Map<number, number>();
  const weakest = new Map<number, number>();
  const rootOf = (row: number): number => {
    let root = row;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  const pairs = [...cosines.keys()].filter((at) => (cosines[at] ?? -Infinity) >= least);
  pairs.sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)); // the cosine of a group is that of the last pair that joined it
  const rows = new Set<number>();
  for (const at of pairs) {
    const [a, b] = [Math.floor(at / perRow), indices[at] ?? -1];
    rows.add(a).add(b);
    const [one, two] = [rootOf(a), rootOf(b)];
    if (one === two) continue;
    parents.set(Math.max(one, two), Math.min(one, two));
    weakest.set(Math.min(one, two), cosines[at] ?? 0);
  }
  const groups = new Map<number, number[]>();
  for (const row of [...rows].sort((a, b) => a - b)) groups.set(rootOf(row), [...(groups.get(rootOf(row)) ?? []), row]);
  return [...groups]
    .map(([root, members]) => ({ members, cosine: weakest.get(root) ?? 1 }))
    .sort((a, b) => b.cosine - a.cosine || (a.members[0] ?? 0) - (b.members[0] ?? 0));
}
