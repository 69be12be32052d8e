import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activationBytes, planBatches, planPaddedBatches } from '../../../../workers/kernels/batch-plan.ts';

const size = { layers: 1, width: 64, vocabulary: 100 };
const options = { size, total: 40, rows: 4, budget: 1e6, waste: 1, sharesKvCache: true };

describe('planBatches', () => {
  it('holds each section once, behind a prefix that ends before every member', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(39)), fc.nat(2e6), (starts, budget) => {
        const batches = planBatches(starts, { ...options, budget });
        const members = batches.flatMap((batch) => batch.members);
        expect([...members].sort((a, b) => a - b)).toEqual(starts.map((_, i) => i));
        for (const { cachedTokens, members: own } of batches)
          for (const member of own) expect(starts[member]).toBeGreaterThanOrEqual(cachedTokens);
      }),
    );
  });

  it('stays within the budget unless a single section exceeds it', () => {
    const starts = Array.from({ length: 40 }, (_, i) => i);
    for (const { cachedTokens, members } of planBatches(starts, options)) {
      const each = activationBytes(size, 40 - cachedTokens, 40, 4);
      expect(members.length === 1 || each * members.length <= options.budget).toBe(true);
    }
    expect(planBatches(starts, { ...options, budget: 0 })).toHaveLength(40);
  });

  it('computes no more in vain than is worthwhile', () => {
    const starts = Array.from({ length: 40 }, (_, i) => i);
    for (const { cachedTokens, members } of planBatches(starts, { ...options, budget: 1e9, waste: 0.05 }))
      expect((members.length - 1) / 2).toBeLessThanOrEqual(0.05 * (40 - cachedTokens));
    expect(planBatches(starts, { ...options, waste: 0 })).toHaveLength(40);
  });

  it('counts what is computed in vain where sections begin far apart', () => {
    const starts = [0, 10, 12, 13, 30];
    const membersAt = (waste: number) => planBatches(starts, { ...options, waste }).map(({ members }) => members);
    // Of three passes over 30 positions 2 + 3 positions are not needed: 5.6 %.
    expect(membersAt(0.05)).toEqual([[0], [1, 2], [3], [4]]);
    expect(membersAt(0.06)).toEqual([[0], [1, 2, 3], [4]]);
  });

  it('starts every pass at the beginning where no prefix can be shared', () => {
    const batches = planBatches([30, 5], { ...options, sharesKvCache: false });
    expect(batches).toEqual([{ cachedTokens: 0, members: [0, 1] }]);
  });
});

const encoder = { layers: 2, width: 64, vocabulary: 0 };
const padded = { size: encoder, budget: 1e9, waste: 0.25, takesPadding: true };

const LENGTHS = [3, 40, 4, 38, 5, 3, 100, 4, 4, 39];

describe('planPaddedBatches', () => {
  it('holds each sequence exactly once, longest first', () => {
    const batches = planPaddedBatches(LENGTHS, padded);
    expect(batches.flat().toSorted((a, b) => a - b)).toEqual([...LENGTHS.keys()]);
    const longest = batches.map(([first = 0]) => LENGTHS[first] ?? 0);
    expect(longest).toEqual(longest.toSorted((a, b) => b - a));
  });

  it('pads little', () => {
    for (const batch of planPaddedBatches(LENGTHS, padded)) {
      const lengths = batch.map((index) => LENGTHS[index] ?? 0);
      const real = lengths.reduce((sum, length) => sum + length, 0);
      expect(Math.max(...lengths) * lengths.length).toBeLessThanOrEqual(1.25 * real);
    }
    expect(planPaddedBatches(LENGTHS, padded).length).toBeLessThan(6);
  });

  it('stays within the memory budget, except for a sequence that exceeds it alone', () => {
    const budget = 3 * activationBytes(encoder, 40, 40, 0);
    const batches = planPaddedBatches(Array(10).fill(40), { ...padded, budget });
    expect(batches.map((batch) => batch.length)).toEqual([3, 3, 3, 1]);
    expect(planPaddedBatches([400, 400], { ...padded, budget })).toEqual([[0], [1]]);
  });

  it('joins equal lengths only where nothing can be padded', () => {
    const batches = planPaddedBatches(LENGTHS, { ...padded, takesPadding: false });
    for (const batch of batches) expect(new Set(batch.map((index) => LENGTHS[index])).size).toBe(1);
    expect(batches).toHaveLength(new Set(LENGTHS).size);
  });

  it('makes no batch of more than 32, and none of nothing', () => {
    expect(planPaddedBatches(Array(70).fill(3), padded).map((batch) => batch.length)).toEqual([32, 32, 6]);
    expect(planPaddedBatches([], padded)).toEqual([]);
  });
});
