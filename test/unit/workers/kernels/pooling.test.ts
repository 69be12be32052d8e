import { describe, expect, it } from 'vitest';
import { meanWeights, normalized, poolingWeights, relative } from '../../../../workers/kernels/pooling.ts';

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
