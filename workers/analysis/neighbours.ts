import type { Rows } from './rows.ts';
import type { Turns } from './pause.ts';

/** The nearest of each row, the nearest first, itself left out. */
export interface Neighbours {
  /** Neighbours of each row. */
  readonly each: number;
  /** `[rows, each]` */
  readonly indices: Int32Array;
  /** Inner products, `[rows, each]`. */
  readonly cosines: Float32Array;
}

/** Rows that are compared with as many others before the next: both blocks stay in the processor's cache. */
const BLOCK = 128;

/**
 * The nearest rows of each row by inner product, exactly: every pair is computed once.
 *
 * @param most  neighbours of each; fewer where there are not so many other rows
 */
export async function nearestOf(
  rows: Rows,
  most: number,
  turns: Turns,
  progress: (done: number, total: number) => void,
): Promise<Neighbours> {
  const each = Math.max(0, Math.min(most, rows.count - 1));
  const found = { each, ...emptyLists(rows.count, each) };
  if (each === 0) return found;
  const blocks = Math.ceil(rows.count / BLOCK);
  const total = (blocks * (blocks + 1)) / 2;
  let done = 0;
  for (let first = 0; first < blocks; first++) {
    for (let second = first; second < blocks; second++) {
      compareBlocks(rows, first * BLOCK, second * BLOCK, found);
      done++;
      await turns.pause();
    }
    progress(done, total);
  }
  return found;
}

function emptyLists(count: number, each: number) {
  return {
    indices: new Int32Array(count * each).fill(-1),
    cosines: new Float32Array(count * each).fill(-Infinity),
  };
}

function compareBlocks(rows: Rows, first: number, second: number, found: Neighbours): void {
  const [firstEnd, secondEnd] = [Math.min(first + BLOCK, rows.count), Math.min(second + BLOCK, rows.count)];
  for (let a = first; a < firstEnd; a++)
    for (let b = Math.max(second, a + 1); b < secondEnd; b++) {
      const cosine = product(rows, a, b);
      insert(found, a, b, cosine);
      insert(found, b, a, cosine);
    }
}

/** Four sums side by side: the processor need not wait for each addition. */
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

/** Puts a row into another's list where it is near enough; of equally near ones the earlier stays in front. */
function insert({ each, indices, cosines }: Neighbours, of: number, other: number, cosine: number): void {
  const start = of * each;
  let at = start + each - 1;
  if (cosine <= (cosines[at] ?? Infinity)) return;
  while (at > start && (cosines[at - 1] ?? Infinity) < cosine) {
    cosines[at] = cosines[at - 1] ?? 0;
    indices[at] = indices[at - 1] ?? -1;
    at--;
  }
  cosines[at] = cosine;
  indices[at] = other;
}
