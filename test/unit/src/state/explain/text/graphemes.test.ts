import { describe, expect, it } from 'vitest';
import { graphemesOf, wholeCharactersIn } from '../../../../../../src/state/explain/text/graphemes.ts';

describe('graphemesOf', () => {
  it('keeps together what is one character to people', () =>
    expect(graphemesOf('e\u0301👩‍👧दि🇩🇪')).toEqual(['e\u0301', '👩‍👧', 'दि', '🇩🇪']));
});

describe('wholeCharactersIn', () => {
  const TEXT = 'a 👩‍👧 b';
  const widened = wholeCharactersIn(TEXT);

  it.each([
    [2, 2, '👩‍👧'],
    [4, 1, '👩‍👧'],
    [5, 2, '👩‍👧'],
    [0, 3, 'a 👩‍👧'],
    [0, 1, 'a'],
    [8, 1, 'b'],
  ])('widens the stretch at %d of length %d to %s', (start, length, text) => {
    const whole = widened({ start, length });
    expect(TEXT.slice(whole.start, whole.start + whole.length)).toBe(text);
  });

  it('leaves other texts as they are', () =>
    expect(wholeCharactersIn('Köln 🍎')({ start: 1, length: 2 })).toEqual({ start: 1, length: 2 }));
});
