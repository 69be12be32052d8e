import { describe, expect, it } from 'vitest';
import { maskOf, poolWeightsOf } from '../../../../../workers/engine/session/feeds.ts';

describe('maskOf', () => {
  it('is 1 up to the length behind the past, and 0 in padding', () => {
    expect([...maskOf({ batch: 2, lengths: Int32Array.of(3, 1) }, 3, 5)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect([...maskOf({ batch: 1 }, 2, 2)]).toEqual([1, 1]);
  });
});

describe('poolWeightsOf', () => {
  it('are 1 unless given, and 0 in padding whatever was given', () => {
    const lengths = Int32Array.of(3, 2);
    expect([...poolWeightsOf({ batch: 2, lengths }, 3)]).toEqual([1, 1, 1, 1, 1, 0]);
    const tokenWeights = Float32Array.of(0.5, 1, 2, 3, 4, 5);
    expect([...poolWeightsOf({ batch: 2, lengths, tokenWeights }, 3)]).toEqual([0.5, 1, 2, 3, 4, 0]);
    expect([...tokenWeights]).toEqual([0.5, 1, 2, 3, 4, 5]);
  });

  it('must be as many as positions', () => {
    expect(() => poolWeightsOf({ batch: 2, tokenWeights: new Float32Array(5) }, 3)).toThrow(/5 token weights for 2/);
  });
});
