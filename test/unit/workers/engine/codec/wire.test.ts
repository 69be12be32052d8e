import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  createMessage,
  fieldsOf,
  floatsOf,
  integersOf,
  textOf,
} from '../../../../../workers/engine/codec/wire.ts';

describe('the wire format', () => {
  it.each([0, 1, 127, 128, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 53 - 1, -1, -(2 ** 40)])(
    'carries the integer %d',
    (value) => {
      const [field] = fieldsOf(bytesOf(createMessage().integer(3, value)));
      expect(field).toMatchObject({ number: 3, kind: 'varint', value });
    },
  );

  it('carries texts, floats, bytes and nested messages', () => {
    const inner = createMessage().text(1, 'Müsli').float(2, 0.5);
    const bytes = bytesOf(
      createMessage()
        .message(7, inner)
        .bytes(20, Uint8Array.of(1, 2, 3)),
    );
    const [nested, blob] = [...fieldsOf(bytes)];
    if (nested === undefined || blob === undefined) throw new Error('two fields were written');
    const [text, float] = [...fieldsOf(bytes, nested.start, nested.end)];
    expect(text && textOf(bytes, text)).toBe('Müsli');
    expect(float && floatsOf(bytes, float)).toEqual([0.5]);
    expect([...bytes.subarray(blob.start, blob.end)]).toEqual([1, 2, 3]);
    expect(blob.number).toBe(20);
  });

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
    ['has an endless varint', [0x08, ...Array.from({ length: 12 }, () => 0xff)]],
  ])('refuses a message that %s', (_, bytes) => {
    expect(() => [...fieldsOf(Uint8Array.from(bytes))]).toThrow(RangeError);
  });
});
