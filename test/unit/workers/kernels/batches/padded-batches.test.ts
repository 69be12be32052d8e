import { describe, expect, it } from 'vitest';
import { activationBytes } from '../../../../../workers/kernels/batches/batch-plan.ts';
import { planPaddedBatches } from '../../../../../workers/kernels/batches/padded-batches.ts';

const size = { layers: 2, width: 64, vocabulary: 0 };
const options = { size, budget: 1e9, waste: 0.25, takesPadding: true };

const LENGTHS = [3, 40, 4, 38, 5, 3, 100, 4, 4, 39];

describe('planPaddedBatches', () => {
  it('holds each sequence exactly once, longest first', () => {
    const batches = planPaddedBatches(LENGTHS, options);
    expect(batches.flat().toSorted((a, b) => a - b)).toEqual([...LENGTHS.keys()]);
    const longest = batches.map(([first = 0]) => LENGTHS[first] ?? 0);
    expect(longest).toEqual(longest.toSorted((a, b) => b - a));
  });

  it('pads little', () => {
    for (const batch of planPaddedBatches(LENGTHS, options)) {
      const lengths = batch.map((index) => LENGTHS[index] ?? 0);
      const real = lengths.reduce((sum, length) => sum + length, 0);
      expect(Math.max(...lengths) * lengths.length).toBeLessThanOrEqual(1.25 * real);
    }
    expect(planPaddedBatches(LENGTHS, options).length).toBeLessThan(6);
  });

  it('stays within the memory budget, except for a sequence that exceeds it alone', () => {
    const budget = 3 * activationBytes(size, 40, 40, 0);
    const batches = planPaddedBatches(Array(10).fill(40), { ...options, budget });
    expect(batches.map((batch) => batch.length)).toEqual([3, 3, 3, 1]);
    expect(planPaddedBatches([400, 400], { ...options, budget })).toEqual([[0], [1]]);
  });

  it('joins equal lengths only where nothing can be padded', () => {
    const batches = planPaddedBatches(LENGTHS, { ...options, takesPadding: false });
    for (const batch of batches) expect(new Set(batch.map((index) => LENGTHS[index])).size).toBe(1);
    expect(batches).toHaveLength(new Set(LENGTHS).size);
  });

  it('makes no batch of more than 32, and none of nothing', () => {
    expect(planPaddedBatches(Array(70).fill(3), options).map((batch) => batch.length)).toEqual([32, 32, 6]);
    expect(planPaddedBatches([], options)).toEqual([]);
  });
});
