import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coveringSpans,
  spansOfBytes,
  withoutLeadingSpace,
} from '../../../../../workers/engine/tokenizer/token-spans.ts';
import { spans } from '../../../../support/spans.ts';

describe('spansOfBytes', () => {
  it('gives every part of a character the whole character', () => {
    expect(spansOfBytes('a😀b', [1, 3, 2])).toEqual(spans([0, 1], [1, 2], [1, 3]));
  });

  it('covers any text, cut anywhere, without a gap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, seed) => {
        const bytes = new TextEncoder().encode(text).length;
        const cut = 1 + (seed % bytes);
        const [first, second] = spansOfBytes(text, [cut, bytes - cut]);
        expect(first?.start).toBe(0);
        const endOf = (span: typeof first) => (span ? span.start + span.length : 0);
        const end = Math.max(endOf(first), endOf(second));
        expect(end).toBe(text.length);
        if (first && second && second.length > 0) expect(second.start).toBeLessThanOrEqual(first.length);
      }),
    );
  });
});

describe('coveringSpans', () => {
  it('counts dropped characters to the token before them, at the beginning to the one after', () => {
    expect(coveringSpans('\u200Bab\u00AD c\u0301', spans([1, 2], [5, 1]))).toEqual(spans([0, 4], [5, 2]));
  });

  it('leaves white space outside', () => {
    expect(coveringSpans(' a  b ', spans([1, 1], [4, 1]))).toEqual(spans([1, 1], [4, 1]));
  });

  it('has nothing to widen where there is no token', () => {
    expect(coveringSpans('\u00AD', [])).toEqual([]);
  });
});

describe('withoutLeadingSpace', () => {
  it('cuts one leading space off every token but the first', () => {
    const text = ' a b  c';
    const given = spans([0, 2], [2, 2], [4, 1], [5, 2]);
    expect(withoutLeadingSpace(text, given)).toEqual(spans([0, 2], [3, 1], [4, 1], [6, 1]));
  });
});
