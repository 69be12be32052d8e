import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';
import { fitSparseLinear, isComplete, randomSubsets } from '../../../../workers/kernels/sparse-linear.ts';

describe('randomSubsets', () => {
  it('begins with all sections, and repeats none', () => {
    const subsets = randomSubsets(10, 64);
    expect(subsets[0]).toEqual(new Uint8Array(10).fill(1));
    expect(new Set(subsets.map(String)).size).toBe(64);
    expect(randomSubsets(10, 64)).toEqual(subsets);
  });
  it('has all subsets where there are no more', () => {
    expect(isComplete(randomSubsets(5, 64))).toBe(true);
    expect(isComplete(randomSubsets(6, 63))).toBe(false);
  });
});

describe('fitSparseLinear', () => {
  it('finds the effects of all subsets by least squares: the difference of two means', () => {
    const kept = randomSubsets(4, 16);
    const value = ([a = 0, b = 0, c = 0]: Iterable<number>) => 2 * a - b + 3 * a * c;
    const { effects, margin } = fitSparseLinear(kept, kept.map(value));
    [3.5, -1, 1.5, 0].forEach((effect, at) => expect(effects[at]).toBeCloseTo(effect, 10));
    expect(margin).toBe(0);
  });
  it('finds few effects among more sections than values', () => {
    const truth = new Map([
      [7, 3],
      [40, -2],
      [77, 1],
    ]);
    const kept = randomSubsets(100, 64);
    const { effects } = fitSparseLinear(
      kept,
      kept.map((own) => [...truth].reduce((sum, [section, effect]) => sum + effect * (own[section] ?? 0), -5)),
    );
    effects.forEach((effect, section) => expect(Math.abs(effect - (truth.get(section) ?? 0))).toBeLessThan(0.1));
  });
  it('gives margins that cover nine in ten effects', () => {
    let [covered, all] = [0, 0];
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const truth = Float64Array.from({ length: 30 }, () => (random() < 0.3 ? 4 * (random() - 0.5) : 0));
      const kept = randomSubsets(30, 64);
      const values = kept.map((own) =>
        truth.reduce((sum, one, at) => sum + one * (own[at] ?? 0), 2 * (random() - 0.5)),
      );
      const { effects, margin } = fitSparseLinear(kept, values);
      effects.forEach((effect, at) => (covered += Number(Math.abs(effect - (truth[at] ?? 0)) <= margin)));
      all += truth.length;
    }
    expect(covered / all).toBeGreaterThan(0.9);
  });
  it('gives no effect to sections that never change, and where all values are equal', () => {
    const kept = randomSubsets(6, 20);
    const { effects, margin } = fitSparseLinear(
      kept,
      kept.map(() => -1),
    );
    expect([...effects]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(margin).toBe(0);
  });
});
