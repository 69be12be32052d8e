import { describe, expect, it } from 'vitest';
import { countTrigrams } from '../../../../../evaluation/measures/text/trigram.ts';

describe('countTrigrams', () => {
  it('mixes its four estimates equally where nothing tunes it', () => {
    // uniform 1/3; 2 stands 2 times of 9, a tenth added to each; 1 is followed 2 times of 3 by 2, and so is 0 1
    const trigram = countTrigrams([0, 1, 2, 0, 1, 2, 0, 1, 1], 3).tune([]);
    const expected = (1 / 3 + 2.1 / 9.3 + 2 / 3 + 2 / 3) / 4;
    expect(trigram.logProbability({ ids: [0, 1, 2], first: 2 })).toBeCloseTo(Math.log(expected), 12);
  });

  it('gives what was never seen the chance of the shorter contexts', () => {
    const trigram = countTrigrams([0, 0, 0], 2).tune([]);
    const expected = (1 / 2 + 0.1 / 3.2) / 4;
    expect(trigram.logProbability({ ids: [1, 1, 1], first: 2 })).toBeCloseTo(Math.log(expected), 12);
  });

  it('scores only what is predicted', () => {
    const trigram = countTrigrams([0, 1, 2, 0, 1, 2, 0, 1, 1], 3).tune([]);
    const whole = trigram.logProbability({ ids: [0, 1, 2, 0, 1], first: 2 });
    const end = trigram.logProbability({ ids: [0, 1, 2, 0, 1], first: 4 });
    const begin = trigram.logProbability({ ids: [0, 1, 2, 0], first: 2 });
    expect(begin + end).toBeCloseTo(whole, 12);
    expect(trigram.logProbability({ ids: [0, 1], first: 2 })).toBe(0);
  });

  /** Sums over `losses` of `decoder/trigram.py` of training/, numpy 2, its VOCABULARY set to 11; the same streams. */
  it('agrees with the trainings’ own 3-gram', () => {
    const stream = (length: number, factor: number) =>
      Array.from({ length }, (_, i) => (i * i * factor + 3 * i + Math.floor(i / 7)) % 11);
    const tuned = [...stream(60, 5).slice(10), ...stream(90, 7).slice(20)];
    const trigram = countTrigrams(stream(500, 7), 11).tune([{ ids: tuned, first: 2 }]);
    expect(trigram.logProbability({ ids: stream(40, 7), first: 2 })).toBeCloseTo(-17.821990525233996, 9);
    expect(trigram.logProbability({ ids: stream(30, 2), first: 2 })).toBeCloseTo(-82.0780782178422, 9);
  });
});
