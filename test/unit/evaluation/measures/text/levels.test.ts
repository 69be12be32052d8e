import { describe, expect, it } from 'vitest';
import { isRight, type JudgedAnswer, thresholdsFor } from '../../../../../evaluation/measures/text/levels.ts';

describe('isRight', () => {
  const gold = [{ text: 'thirty days', start: 10 }];
  it.each([
    ['thirty days', 10, true],
    ['within thirty days', 3, true],
    ['days', 17, true], // half of the words, F1 two thirds
    ['is paid within thirty days after receipt of it', 0, false], // too long
    ['thirty days', 40, false], // elsewhere
    ['thirty days', 21, false], // begins where the answer ends
  ])('of "%s" at %d is %s', (text, start, right) => expect(isRight({ text, start }, gold)).toBe(right));
  it('counts code points', () => expect(isRight({ text: '😀 b', start: 0 }, [{ text: 'b c', start: 3 }])).toBe(false));
  it('is false where there is no answer', () => expect(isRight({ text: 'a', start: 0 }, [])).toBe(false));
});

describe('thresholdsFor', () => {
  const judged = (score: number, isAnswerable: boolean, right = isAnswerable): JudgedAnswer => ({
    score,
    isAnswerable,
    isRight: right,
  });
  const answers = [
    judged(0.9, true),
    judged(0.8, false),
    judged(0.7, true),
    judged(0.6, true, false),
    judged(0.3, true),
    judged(0.1, false),
  ];
  it('show all right answers, and call nothing likely that is wrong, if no mistake is allowed', () =>
    expect(thresholdsFor(answers, { hidden: 0, wrong: 0 })).toEqual({ perhaps: 0.3, likely: 0.9 }));
  it('may hide one of three, and call one of six likely although it is wrong', () =>
    expect(thresholdsFor(answers, { hidden: 0.34, wrong: 0.17 })).toEqual({ perhaps: 0.7, likely: 0.7 }));
  it('call nothing likely if the best answer is wrong', () =>
    expect(thresholdsFor([judged(0.9, false), judged(0.5, true)], { hidden: 0, wrong: 0 }).likely).toBe(1));
  it('need a right answer', () =>
    expect(() => thresholdsFor([judged(0.5, false)], { hidden: 0, wrong: 0 })).toThrow('right answer'));
});
