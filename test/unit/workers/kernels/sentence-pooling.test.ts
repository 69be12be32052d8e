import { describe, expect, it } from 'vitest';
import {
  denseLayer,
  largestStates,
  sentenceShares,
  summedStates,
  type SummedPooling,
} from '../../../../workers/kernels/sentence-pooling.ts';

/** Three positions of width 2. */
const STATES = Float32Array.of(1, -2, 3, 4, 5, -6);

describe('sentenceShares', () => {
  it.each<[SummedPooling, readonly number[]]>([
    ['cls', [1, 0, 0]],
    ['last_token', [0, 0, 1]],
    ['mean', [0.5, 0.25, 0.25]],
    ['mean_sqrt_len', [1, 0.5, 0.5]],
    ['weighted_mean', [2 / 7, 2 / 7, 3 / 7]],
  ])('%s', (pooling, expected) => {
    const shares = sentenceShares(pooling, Float32Array.of(2, 1, 1));
    expected.forEach((share, index) => expect(shares[index]).toBeCloseTo(share, 6));
  });

  it.each<SummedPooling>(['mean', 'mean_sqrt_len', 'weighted_mean'])('%s of nothing is zeros, never NaN', (pooling) => {
    expect([...sentenceShares(pooling, new Float32Array(2))]).toEqual([0, 0]);
  });
});

describe('states', () => {
  it('are summed by their shares', () => {
    expect([...summedStates(STATES, Float32Array.of(0.5, 0, 1))]).toEqual([5.5, -7]);
  });

  it('have the largest values of the positions that count', () => {
    expect([...largestStates(STATES, Float32Array.of(1, 1, 0))]).toEqual([3, 4]);
    expect([...largestStates(STATES, new Float32Array(3))]).toEqual([0, 0]);
  });
});

describe('denseLayer', () => {
  it('computes activation(weights · vector + bias)', () => {
    const weights = Float32Array.of(1, 2, 3, 4, 5, 6);
    expect([...denseLayer(Float32Array.of(1, -1), weights, Float32Array.of(0, 10, -20), (x) => 2 * x)]).toEqual([
      -2, 18, -42,
    ]);
  });

  it('refuses weights that do not fit', () => {
    expect(() => denseLayer(new Float32Array(3), new Float32Array(4), new Float32Array(2), (x) => x)).toThrow(
      '4 weights for 3 inputs and 2 outputs',
    );
  });
});
