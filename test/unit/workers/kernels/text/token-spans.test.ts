import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byteAlphabet,
  alignedSpans,
  byteLevelSpans,
  withoutLeadingSpace,
} from '../../../../../workers/kernels/text/token-spans.ts';

describe('byteLevelSpans', () => {
  it('gives each piece its stretch of text, spaces included', () => {
    expect(byteLevelSpans('I am', ['I', 'Ġam'])).toEqual([
      { start: 0, length: 1 },
      { start: 1, length: 3 },
    ]);
  });

  it('gives every part of a character the whole character', () => {
    const [first, second] = ['ðŁĺ', 'Ģ']; // the four bytes of 😀, three and one
    expect(byteLevelSpans('a😀', ['a', first ?? '', second ?? ''])).toEqual([
      { start: 0, length: 1 },
      { start: 1, length: 2 },
      { start: 1, length: 2 },
    ]);
  });

  it('refuses pieces that do not add up to the text', () => {
    expect(() => byteLevelSpans('ab', ['a'])).toThrow(RangeError);
  });

  it('covers any text, cut anywhere, without a gap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, seed) => {
        const bytes = byteAlphabet.encode(text);
        const cut = 1 + (seed % bytes.length);
        const pieces = [bytes.slice(0, cut), bytes.slice(cut)].filter((piece) => piece !== '');
        const spans = byteLevelSpans(text, pieces);
        expect(spans[0]?.start).toBe(0);
        const last = spans.at(-1);
        expect((last?.start ?? 0) + (last?.length ?? 0)).toBe(text.length);
        if (spans[1]) expect(spans[1].start).toBeLessThanOrEqual((spans[0]?.start ?? 0) + (spans[0]?.length ?? 0));
      }),
    );
  });
});

describe('byteAlphabet', () => {
  it('returns every well-formed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => byteAlphabet.decode(byteAlphabet.encode(text)) === text),
    );
  });

  it('shows a part of a character as a replacement mark', () => {
    expect(byteAlphabet.decode(byteAlphabet.encode('é').slice(0, 1))).toBe('\uFFFD');
  });
});

describe('alignedSpans', () => {
  it('finds surfaces that were lower-cased and stripped of accents', () => {
    expect(alignedSpans('Über Café', ['uber', 'cafe'])).toEqual([
      { start: 0, length: 4 },
      { start: 5, length: 4 },
    ]);
  });

  it('gives an unknown token no length and goes on behind it', () => {
    expect(alignedSpans('a ♞ b', ['a', '[UNK]', 'b'])).toEqual([
      { start: 0, length: 1 },
      { start: 1, length: 0 },
      { start: 4, length: 1 },
    ]);
  });
});

describe('withoutLeadingSpace', () => {
  it('cuts one leading space off every token but the first', () => {
    const text = ' a b  c';
    const spans = [
      { start: 0, length: 2 },
      { start: 2, length: 2 },
      { start: 4, length: 1 },
      { start: 5, length: 2 },
    ];
    expect(withoutLeadingSpace(text, spans)).toEqual([
      { start: 0, length: 2 },
      { start: 3, length: 1 },
      { start: 4, length: 1 },
      { start: 6, length: 1 },
    ]);
  });
});
