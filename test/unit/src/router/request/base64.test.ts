import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../../../workers/kernels/base64.ts';

describe('decodeBase64', () => {
  it('reads back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it.each([
    ['a space', 'AA A', 2],
    ['a line end', 'AAAA\nAAA', 4],
    ['the alphabet for addresses', 'AA-_', 2],
    ['a character beyond ASCII', 'AÄAA', 1],
    ['padding in the middle', 'AA==AAAA', 2],
    ['too much padding', 'A===', 1],
    ['no padding', 'AAA', 3],
    ['one character too many', 'AAAAA', 5],
    ['bits behind the last byte', 'AB==', 1],
  ])('says where it meets %s', (_, text, offset) => {
    expect(decodeBase64(text)).toEqual({ offset });
  });
});
