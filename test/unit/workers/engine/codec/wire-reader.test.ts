import { describe, expect, it } from 'vitest';
import { bytesOf, createMessage, fieldsOf, integersOf } from '../../../../../workers/engine/codec/protobuf.ts';

describe('the wire reader', () => {
  it('reads repeated integers, packed or not', () => {
    const packed = bytesOf(createMessage().bytes(1, Uint8Array.of(5, 0x80, 1)));
    const [field] = fieldsOf(packed);
    expect(field && integersOf(packed, field)).toEqual([5, 128]);
    const single = bytesOf(createMessage().integer(1, 9));
    const [one] = fieldsOf(single);
    expect(one && integersOf(single, one)).toEqual([9]);
  });

  it.each([
    ['ends within a varint', [0x08, 0x80]],
    ['ends within a string', [0x0a, 5, 65]],
    ['has an unknown wire kind', [0x0b]],
    ['has a length that leads back to its field', [0x0a, 0xf5].concat(new Array<number>(8).fill(0xff), 0x01)],
    ['has an endless varint', [0x08, ...Array.from({ length: 12 }, () => 0xff)]],
  ])('refuses a message that %s', (_, bytes) => {
    expect(() => [...fieldsOf(Uint8Array.from(bytes))]).toThrow(RangeError);
  });
});
