import { describe, expect, it } from 'vitest';
import { differenceOf, concatenated, magnitudeOf } from '../../../../workers/kernels/float-arrays.ts';

describe('differenceOf', () => {
  it('is the largest absolute difference', () => {
    expect(differenceOf([1, -2, 3], [1, 2, 2.5])).toBe(4);
  });
  it.each([
    ['another length', [1], [1, 2]],
    ['nothing', undefined, [1]],
    ['a number that is none', [NaN], [1]],
  ])('is infinite for %s', (_, found, expected) => {
    expect(differenceOf(found, expected)).toBe(Infinity);
  });
});

describe('arrays', () => {
  it('are joined in order', () => {
    expect([...concatenated([Float32Array.of(1, 2), new Float32Array(0), Float32Array.of(3)])]).toEqual([1, 2, 3]);
  });
  it('are measured by their largest value', () => {
    expect(magnitudeOf([1, -3, 2])).toBe(3);
    expect(magnitudeOf([])).toBe(0);
  });
});
