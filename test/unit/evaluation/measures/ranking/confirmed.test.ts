import { describe, expect, it } from 'vitest';
import { computedBy, greatestOf, shareKnown } from '../../../../../evaluation/measures/ranking/confirmed.ts';

describe('what is known of an explanation', () => {
  const costed = { scores: [1, -5, 0, 3], costs: [40, 30, 20, 10], unmodified: 50 }; // 150 positions in all

  it('is about the greatest effects, whatever their sign', () => {
    expect(greatestOf(costed.scores, 2)).toEqual([1, 3]);
    expect(shareKnown([1, 3], (section) => section === 3)).toBe(0.5);
  });

  it('counts the unmodified pass, and stops at the first section that is too dear', () => {
    expect([...computedBy([0, 1, 2, 3], costed, 1)]).toEqual([0, 1, 2, 3]);
    expect([...computedBy([0, 1, 2, 3], costed, 0.6)]).toEqual([0]); // 90 − 50 positions
    expect([...computedBy([3, 2, 1, 0], costed, 0.6)]).toEqual([3, 2]);
    expect(computedBy([3], costed, 0.3).size).toBe(0);
  });
});
