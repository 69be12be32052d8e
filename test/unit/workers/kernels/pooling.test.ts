import { describe, expect, it } from 'vitest';
import {
  denseLayer,
  largestStates,
  meanWeights,
  normalized,
  poolingWeights,
  relative,
  sentenceShares,
  summedStates,
  type SummedPooling,
} from '../../../../workers/kernels/pooling.ts';

const close = (weights: Float32Array, expected: readonly number[]) => {
  expect(weights.length).toBe(expected.length);
  expected.forEach((weight, i) => expect(weights[i]).toBeCloseTo(weight, 6));
};

describe('poolingWeights', () => {
  it('is plain without controls', () => {
    close(poolingWeights('mean', [1, 1, 1, 1]), [0.25, 0.25, 0.25, 0.25]);
    close(poolingWeights('weighted_mean', [1, 1, 1]), [1 / 6, 2 / 6, 3 / 6]);
    close(poolingWeights('last_token', [1, 1, 1]), [0, 0, 1]);
  });

  it('weighs the mean by the square of the factor', () => {
    close(poolingWeights('mean', [1, 0.5]), [0.8, 0.2]);
  });

  it('weighs the weighted mean by factor times its running sum', () => {
    close(poolingWeights('weighted_mean', [1, 0.5]), [1 / 1.75, 0.75 / 1.75]);
  });

  it('takes the last position with the greatest factor, times it', () => {
    close(poolingWeights('last_token', [2, 2, 0.5]), [0, 2, 0]);
  });

  it('depends on ratios alone, however small the factors are', () => {
    close(poolingWeights('mean', [1e-300, 5e-301]), [0.8, 0.2]);
    close(poolingWeights('weighted_mean', [1e-300, 5e-301]), [1 / 1.75, 0.75 / 1.75]);
  });

  it('pools everything when all is suppressed', () => {
    close(poolingWeights('mean', [0, 0]), [0.5, 0.5]);
  });

  it('refuses nothing at all', () => {
    expect(() => poolingWeights('mean', [])).toThrow(RangeError);
  });
});

describe('meanWeights', () => {
  it('squares factors between positions of weight 1', () => close(meanWeights([0.5, 1], 1, 1), [1, 0.25, 1, 1]));
  it('has a greatest weight of 1', () => {
    close(meanWeights([2, 1], 1, 0), [0.25, 1, 0.25]);
    close(meanWeights([1e-300, 1e-300], 0, 0), [1, 1]);
  });
});

describe('relative', () => {
  it('leaves zeros alone', () => expect(relative(Float64Array.of(0, 0))).toEqual(Float64Array.of(0, 0)));
});

describe('normalized', () => {
  it('has length 1', () => close(normalized(Float32Array.of(3, 4)), [0.6, 0.8]));
  it('leaves zeros alone', () => close(normalized(Float32Array.of(0, 0)), [0, 0]));
});

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
