import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteAlphabet } from '../../../src/formats/byte-alphabet.ts';

describe('byteAlphabet', () => {
  it('returns the bytes of every well-formed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        return String(byteAlphabet.bytesOf(byteAlphabet.encode(text))) === String(new TextEncoder().encode(text));
      }),
    );
  });

  it('knows what is not of it', () => expect(byteAlphabet.bytesOf('a b')).toBeUndefined());
});
