import { describe, expect, it } from 'vitest';
import { answerF1, bestOver, exactMatch, normalizedAnswer } from '../../../../../evaluation/measures/text/answers.ts';

describe('normalizedAnswer', () => {
  it.each([
    ['The  Denver Broncos!', 'denver broncos'],
    ['a U.S. team, an "A" and theatre', 'us team and theatre'],
    ['24–10', '24–10'], // a dash is no ASCII punctuation
    ['The', ''],
  ])('of %j is %j', (text, normalized) => expect(normalizedAnswer(text)).toBe(normalized));
});

describe('answerF1', () => {
  it('is the harmonic mean of the shares of shared words', () =>
    expect(answerF1('the Denver Broncos', 'Denver')).toBeCloseTo(2 / 3, 12));
  it('counts a word as often as both have it', () => expect(answerF1('x x y', 'x y y')).toBeCloseTo(4 / 6, 12));
  it('is 0 without a shared word', () => expect(answerF1('Denver', 'Carolina')).toBe(0));
  it('is 1 where neither has a word, 0 where one has none', () => {
    expect(answerF1('the', '')).toBe(1);
    expect(answerF1('', 'Denver')).toBe(0);
  });
});

describe('exactMatch', () => {
  it('overlooks case, punctuation and articles', () => expect(exactMatch('the Broncos.', 'broncos')).toBe(1));
  it('overlooks nothing else', () => expect(exactMatch('Denver Broncos', 'broncos')).toBe(0));
});

describe('bestOver', () => {
  it('takes the answer that agrees most', () => expect(bestOver(exactMatch, 'two', ['one', 'two'])).toBe(1));
  it('refuses to judge without answers', () => expect(() => bestOver(exactMatch, 'two', [])).toThrow(RangeError));
});
