import { describe, expect, it } from 'vitest';
import { groupsOf, wordsOfGroups } from '../../../../workers/analysis/clusters.ts';
import { principalComponents, umapOf } from '../../../../workers/analysis/projection.ts';
import { nearestOf } from '../../../../workers/analysis/neighbours.ts';
import type { Rows } from '../../../../workers/analysis/rows.ts';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';

const pause = async () => undefined;

/** Rows around so many axes, one after the other. */
function bunches(count: number, of: number, width: number): Rows {
  const random = seededRandom(2);
  const rows = Array.from({ length: count * of }, (_, row) => {
    const vector = Array.from({ length: width }, (_, at) => (at === Math.floor(row / of) ? 1 : 0.1 * (random() - 0.5)));
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
  return { values: Float32Array.from(rows.flat()), count: rows.length, width };
}

describe('principalComponents', () => {
  it('finds the directions in which rows differ, strongest first', async () => {
    // An ellipse: twice as long in the first direction as in the second, none in the third.
    const values = Float32Array.of(2, 0, 5, -2, 0, 5, 0, 1, 5, 0, -1, 5);
    const { points, explained } = await principalComponents({ values, count: 4, width: 3 }, pause);
    expect([...points].map((value) => Math.round(value * 1000) / 1000 + 0)).toEqual([2, 0, -2, 0, 0, 1, 0, -1]);
    expect(explained).toBeCloseTo(1, 6);
  });

  it('answers places of 0 for rows that are all the same', async () => {
    const { points, explained } = await principalComponents(
      { values: new Float32Array(9).fill(1), count: 3, width: 3 },
      pause,
    );
    expect([...points].every((value) => value === 0)).toBe(true);
    expect(explained).toBe(0);
  });
});

describe('umapOf', () => {
  it('keeps bunches together and apart from others, the same in each run', async () => {
    const rows = bunches(3, 12, 8);
    const neighbours = await nearestOf(rows, 8, pause, () => undefined);
    const { points: begin } = await principalComponents(rows, pause);
    const [first, second] = [
      await umapOf({ neighbours, begin }, pause, () => undefined),
      await umapOf({ neighbours, begin }, pause, () => undefined),
    ];
    expect(first).toEqual(second);
    const distance = (a: number, b: number) =>
      Math.hypot((first[2 * a] ?? 0) - (first[2 * b] ?? 0), (first[2 * a + 1] ?? 0) - (first[2 * b + 1] ?? 0));
    const within = Math.max(distance(0, 1), distance(0, 2), distance(0, 3), distance(0, 4));
    expect(Math.min(distance(0, 12), distance(0, 24), distance(12, 24))).toBeGreaterThan(within);
  });
});

describe('groupsOf', () => {
  it('finds how many groups there are, and who belongs together', async () => {
    const { labels, count } = await groupsOf(bunches(4, 20, 8), null, pause);
    expect(count).toBe(4);
    for (let bunch = 0; bunch < 4; bunch++) expect(new Set(labels.subarray(bunch * 20, (bunch + 1) * 20)).size).toBe(1);
    expect(new Set(labels).size).toBe(4);
  });

  it.each([
    [3, 0, 0],
    [5, 1, 1],
    [2, 10, 2],
  ])('of %i asked for in %i rows makes %i', async (asked, count, made) => {
    expect((await groupsOf(bunches(1, count, 4), asked, pause)).count).toBe(made);
  });
});

describe('wordsOfGroups', () => {
  it('names each group by words that the others lack, function words left out', () => {
    const texts = ['the parcel was late', 'my parcel is here', 'the refund was late', 'a refund for me'];
    const words = wordsOfGroups(texts, { labels: Int32Array.of(0, 0, 1, 1), count: 2 }, 2);
    expect(words).toEqual([['parcel'], ['refund']]);
  });

  it('takes words of single texts where a group shares none, and gives an empty group none', () => {
    const words = wordsOfGroups(['kettle boils'], { labels: Int32Array.of(0), count: 2 }, 3);
    expect(words).toEqual([['boils', 'kettle'], []]);
  });
});
