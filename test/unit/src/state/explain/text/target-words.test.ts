import { describe, expect, it } from 'vitest';
import { charactersOf, targetWords } from '../../../../../../src/state/explain/text/target-words.ts';

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
