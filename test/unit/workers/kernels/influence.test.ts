import { describe, expect, it } from 'vitest';
import { cosineOf } from '../../../../workers/kernels/attention-control.ts';
import { influenceOf } from '../../../../workers/kernels/influence.ts';

describe('influenceOf', () => {
  it('is positive where suppressing makes the target less likely', () => {
    expect([...influenceOf([-3, -1], [-1, -2])]).toEqual([2, -1]);
  });
});

describe('cosineOf', () => {
  const cosine = cosineOf(Float32Array.of(1, 0, 2, 0, 0, 3, 0, 0, -1, -1), 2);
  it('is 1 for the same direction and 0 for a right angle', () => {
    expect(cosine(0, 1)).toBe(1);
    expect(cosine(0, 2)).toBe(0);
    expect(cosine(0, 4)).toBeCloseTo(-Math.SQRT1_2);
  });
  it('is exactly 1 for rows of the same numbers', () => {
    const row = Float32Array.from({ length: 96 }, (_, k) => Math.sin(k * 12.9898) / 3);
    for (let scale = 1; scale < 200; scale++) {
      const scaled = row.map((value) => value * scale * 0.013);
      expect(cosineOf(Float32Array.of(...scaled, ...scaled), 96)(0, 1)).toBe(1);
    }
  });
  it('is 0 for a row of zeros', () => expect(cosine(0, 3)).toBe(0));
  it('refuses a matrix that is no whole number of rows', () => {
    expect(() => cosineOf(new Float32Array(5), 2)).toThrow(RangeError);
  });
});
