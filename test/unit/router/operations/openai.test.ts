import { describe, expect, it } from 'vitest';
import { createOffsets } from '../../../../src/router/operations/openai.ts';

const tokensOf = (shown: readonly string[]) =>
  shown.map((token, id) => ({ id, token, log_probability: NaN, rank: 0, alternatives: [] }));

describe('createOffsets', () => {
  it.each<[string, string, readonly string[], readonly number[]]>([
    ['the tokens of a text', 'a b', ['a', ' b'], [0, 1]],
    ['tokens after a character of several', '🙂 b', ['\uFFFD', '\uFFFD', ' b'], [0, 0, 1]],
    ['a stop sequence after a character of several', 'a🙂', ['a', '\uFFFD', '\uFFFD', 'END', ' b'], [0, 1, 1, 2, 5]],
    ['a token that ends in a stop sequence', '🙂 ', ['\uFFFD', '\uFFFD', ' END'], [0, 0, 1]],
    ['a mark before the text', 'a b', [' a', ' b'], [0, 1]],
    ['a mark that is a token', 'é b', [' ', '\uFFFD', '\uFFFD', ' b'], [0, 0, 0, 1]],
    ['words without the spaces between them', 'new yorker', ['new', 'york', 'er'], [0, 4, 8]],
  ])('places %s', (_, text, shown, expected) => {
    expect(createOffsets()(tokensOf(shown), text)).toEqual(expected);
  });

  it('places a token whose text is withheld, and those after it', () => {
    const offsetsOf = createOffsets();
    expect(offsetsOf(tokensOf(['\uFFFD', '\uFFFD', ' ']), '🙂')).toEqual([0, 0, 1]);
    expect(offsetsOf(tokensOf(['b']), ' b')).toEqual([2]);
  });
});
