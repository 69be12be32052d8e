import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';
import { duplicateGroups, nearestOf } from '../../../../workers/analysis/neighbours.ts';
import type { Rows } from '../../../../workers/analysis/rows.ts';

const pause = async () => undefined;
const nothing = () => undefined;

/** Random directions of length 1. */
function randomRows(count: number, width: number): Rows {
  const random = seededRandom(1);
  const values = new Float32Array(count * width);
  for (let row = 0; row < count; row++) {
    const vector = Array.from({ length: width }, () => random() - 0.5);
    values.set(
      vector.map((value) => value / Math.hypot(...vector)),
      row * width,
    );
  }
  return { values, count, width };
}

function product({ values, width }: Rows, a: number, b: number): number {
  return Array.from({ length: width }, (_, at) => (values[a * width + at] ?? 0) * (values[b * width + at] ?? 0)).reduce(
    (sum, value) => sum + value,
  );
}

describe('nearestOf', () => {
  it('finds what comparing every pair finds, over several blocks and an odd width', async () => {
    const rows = randomRows(300, 7);
    const { indices, perRow } = await nearestOf(rows, 5, pause, nothing);
    for (const row of [0, 127, 128, 299]) {
      const others = [...Array(rows.count).keys()].filter((other) => other !== row);
      const wanted = others.toSorted((a, b) => product(rows, row, b) - product(rows, row, a)).slice(0, 5);
      expect([...indices.subarray(row * perRow, (row + 1) * perRow)]).toEqual(wanted);
    }
  });

  it.each([0, 1, 3])('takes a collection of %i', async (count) => {
    const found = await nearestOf(randomRows(count, 4), 5, pause, nothing);
    expect(found.perRow).toBe(Math.max(0, count - 1));
    expect([...found.indices].every((index) => index >= 0)).toBe(true);
  });
});

describe('duplicateGroups', () => {
  it('chains what is nearly the same, and leaves the rest out', async () => {
    const rows = { values: Float32Array.of(1, 0, 0, 1, 1, 0, 0.6, 0.8), count: 4, width: 2 };
    const neighbours = await nearestOf(rows, 3, pause, nothing);
    expect(duplicateGroups(neighbours, 0.9)).toEqual([{ members: [0, 2], cosine: 1 }]);
    const [chained, ...none] = duplicateGroups(neighbours, 0.6);
    expect(none).toEqual([]);
    expect(chained?.members).toEqual([0, 1, 2, 3]);
    expect(chained?.cosine).toBeCloseTo(0.6, 6);
  });

  it('finds all of many equal rows, though each has fewer neighbours', async () => {
    const rows = { values: new Float32Array(40).fill(1), count: 40, width: 1 };
    const [group] = duplicateGroups(await nearestOf(rows, 14, pause, nothing), 0.99);
    expect(group?.members).toHaveLength(40);
  });
});
