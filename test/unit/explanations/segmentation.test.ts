import { describe, expect, it } from 'vitest';
import { charactersOf, graphemesOf, targetWords, wholeCharactersIn } from '../../../src/explanations/segmentation.ts';

const textsOf = (tokens: string[], target: string) => targetWords(tokens, target).map(({ text }) => text);

describe('targetWords', () => {
  it.each([
    [[' K', '\uFFFD', '\uFFFD', 'ln', ' is'], ' Köln is', [' Köln', ' is']],
    [[' L', 'uigi', "'s", ' in', ' Oak', 'land', '.'], " Luigi's in Oakland.", [" Luigi's", ' in', ' Oakland', '.']],
    [[' ', '\uFFFD', '\uFFFD', '\uFFFD', '!'], ' 👩‍👧!', [' 👩‍👧', '!']],
    [['م', '\uFFFD', '\uFFFD', 'حبا', ' ب', 'ك'], 'مرحبا بك', ['مرحبا', ' بك']],
    [[' ', 'a'], ' a', [' a']],
    [['\uFFFD', '\uFFFD'], 'é', ['é']],
  ])('joins %j to the words of %j', (tokens, target, words) => expect(textsOf(tokens, target)).toEqual(words));

  it('says which tokens a word consists of', () => {
    const words = targetWords([' K', '\uFFFD', '\uFFFD', 'ln', ' is'], ' Köln is');
    expect(words.map(({ first, count }) => [first, count])).toEqual([
      [0, 4],
      [4, 1],
    ]);
  });

  it('leaves tokens alone that do not make up the target', () => {
    expect(textsOf(['a', 'b'], 'xyz')).toEqual(['a', 'b']);
    expect(textsOf(['a'], 'ab')).toEqual(['a']);
    expect(textsOf([], 'ab')).toEqual([]);
  });
});

describe('charactersOf', () => {
  it.each([
    [[' K', '\uFFFD', '\uFFFD', 'ln'], ' Köln', [' K', 'ö', 'ö', 'ln']],
    [['a', '\uFFFD'], 'xyz', ['a', '\uFFFD']],
  ])('names the whole characters of %j in %j', (tokens, target, whole) =>
    expect(charactersOf(tokens, target)).toEqual(whole),
  );
});

describe('graphemesOf', () => {
  it('keeps together what is one character to people', () =>
    expect(graphemesOf('e\u0301👩‍👧दि🇩🇪')).toEqual(['e\u0301', '👩‍👧', 'दि', '🇩🇪']));

  it.each(['e\u0301 👩‍👧दि ', '🇩🇪\r\n\r\n', '日本語が\u3099', '👩‍👧🇩🇪', 'कि'])(
    'finds the same in a long text of %j',
    (unit) => {
      const found = graphemesOf(unit.repeat(3000));
      expect(found).toHaveLength(3000 * graphemesOf(unit).length);
      expect(new Set(found)).toEqual(new Set(graphemesOf(unit)));
      expect(found.join('')).toBe(unit.repeat(3000));
    },
  );
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
