import { describe, expect, it } from 'vitest';
import { fromHalf } from '../../../../../src/formats/safetensors.ts';
import { bytesOf, createMessage } from '../../../../../workers/engine/codec/protobuf.ts';
import { decodeTensor, ElementType, numbersOf, toHalf } from '../../../../../workers/engine/codec/tensor-proto.ts';

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

  it('is read from the bits in int32_data', () => {
    const header = createMessage().integer(2, ElementType.float16);
    const single = header.integer(5, 0x3c00).integer(5, 0xc000);
    expect(numbersOf(decodeTensor(bytesOf(single), undefined))).toEqual([1, -2]);
  });
});

it('a constant has any number of values in one field', () => {
  const count = 1_000_000;
  const message = createMessage().integer(2, ElementType.int32).bytes(5, new Uint8Array(count).fill(7));
  const numbers = numbersOf(decodeTensor(bytesOf(message), undefined));
  expect(numbers).toHaveLength(count);
  expect(numbers.at(-1)).toBe(7);
});
