import { describe, expect, it } from 'vitest';
import { contentWords, questionOverlap } from '../../../../../evaluation/measures/text/question-words.ts';

describe('contentWords', () => {
  it('leaves out marks and words that every question has', () =>
    expect([...contentWords('Who was the king of Sweden in 1632?')]).toEqual(['king', 'sweden', '1632']));
});

describe('questionOverlap', () => {
  it('marks the words of a passage that the question names, whatever their case', () =>
    expect(questionOverlap(['The', 'King', 'of', 'Norway'], 'Where did the king live?')).toEqual([0, 1, 0, 0]));
});
