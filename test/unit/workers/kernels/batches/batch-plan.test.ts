import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activationBytes, planBatches } from '../../../../../workers/kernels/batches/batch-plan.ts';

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
