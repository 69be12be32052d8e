import { describe, expect, it } from 'vitest';
import { bytesOf, createMessage, fieldsOf, floatsOf, readText } from '../../../../../workers/engine/codec/protobuf.ts';

describe('the wire writer, read back', () => {
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
    expect(text && readText(bytes, text)).toBe('Müsli');
    expect(float && floatsOf(bytes, float)).toEqual([0.5]);
    expect([...bytes.subarray(blob.start, blob.end)]).toEqual([1, 2, 3]);
    expect(blob.number).toBe(20);
  });
});
