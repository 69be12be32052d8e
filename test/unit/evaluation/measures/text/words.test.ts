import { describe, expect, it } from 'vitest';
import { likeliestSentence, sharedWords, wordsOf } from '../../../../../evaluation/measures/text/words.ts';

describe('wordsOf', () => {
  it('takes runs of letters and digits, small', () =>
    expect(wordsOf("What's the Año_2 (in 1,000)?")).toEqual(['what', 's', 'the', 'año_2', 'in', '1', '000']));
  it('knows a text without words', () => expect(wordsOf('?!')).toEqual([]));
});

describe('sharedWords', () => {
  it('is the share of different words of the question', () =>
    expect(sharedWords('Who ate the red red apple?', 'The red fox ate.')).toBe(3 / 5));
  it('is 0 for a question without words', () => expect(sharedWords('?', 'a')).toBe(0));
});

describe('likeliestSentence', () => {
  it('has the most words of the question', () =>
    expect(likeliestSentence('Where did Ann sleep?', 'Ann ate. Then Ann did sleep! Bob left.')).toEqual({
      text: 'Then Ann did sleep!',
      share: 3 / 4,
    }));
  it('is the first of equal ones', () => expect(likeliestSentence('who', 'One. Two.').text).toBe('One.'));
  it('is empty for an empty text', () => expect(likeliestSentence('who', '')).toEqual({ text: '', share: 0 }));
});
