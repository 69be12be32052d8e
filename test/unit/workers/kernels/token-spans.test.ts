import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignedSpans,
  byteAlphabet,
  byteLevelSpans,
  withoutLeadingSpace,
} from '../../../../workers/engine/loading/tokenizer.ts';
import { spans } from '../../../support/spans.ts';

describe('byteLevelSpans', () => {
  it('gives each piece its stretch of text, spaces included', () => {
    expect(byteLevelSpans('I am', ['I', 'Ġam'])).toEqual(spans([0, 1], [1, 3]));
  });

  it('gives every part of a character the whole character', () => {
    const [first, second] = ['ðŁĺ', 'Ģ']; // the four bytes of 😀, three and one
    expect(byteLevelSpans('a😀', ['a', first ?? '', second ?? ''])).toEqual(spans([0, 1], [1, 2], [1, 2]));
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
    expect(alignedSpans('Über Café', ['uber', 'cafe'])).toEqual(spans([0, 4], [5, 4]));
  });

  it('gives an unknown token no length and goes on behind it', () => {
    expect(alignedSpans('a ♞ b', ['a', '[UNK]', 'b'])).toEqual(spans([0, 1], [1, 0], [4, 1]));
  });
});

describe('withoutLeadingSpace', () => {
  it('cuts one leading space off every token but the first', () => {
    const text = ' a b  c';
    const given = spans([0, 2], [2, 2], [4, 1], [5, 2]);
    expect(withoutLeadingSpace(text, given)).toEqual(spans([0, 2], [3, 1], [4, 1], [6, 1]));
  });
});
