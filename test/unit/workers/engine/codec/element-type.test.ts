import { describe, expect, it } from 'vitest';
import { fromHalf } from '../../../../../src/formats/safetensors.ts';
import { toHalf } from '../../../../../workers/engine/codec/tensor-proto.ts';

describe('half precision', () => {
  it.each([
    [0, 0x0000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [-65504, 0xfbff],
    [2 ** -24, 0x0001],
    [0.25, 0x3400],
    [1e6, 0x7c00],
  ])('writes %d', (value, bits) => {
    expect(toHalf(value)).toBe(bits);
  });

  it('reads back every finite number it can write', () => {
    for (let bits = 0; bits < 0x7c00; bits++) expect(toHalf(fromHalf(bits))).toBe(bits);
    expect(fromHalf(0xfc00)).toBe(-Infinity);
    expect(fromHalf(0x7e00)).toBeNaN();
  });
});
