import { describe, expect, it } from 'vitest';
import {
  chooseRows,
  coveringRatio,
  marginsOf,
  nearbyRowScores,
  rowScores,
} from '../../../../workers/kernels/row-estimates.ts';

/** Three positions, of which the last predicts; one layer before the last. */
const attention = {
  earlier: Float32Array.of(1, 0, 0, 0.25, 0.75, 0, 0.1, 0.5, 0.4),
  last: Float32Array.of(0.5, 0.25, 0.25),
};

describe('rowScores', () => {
  it('multiplies what a row pays to the change by what is read of the row', () => {
    const [scores = []] = rowScores(attention, 3, [{ start: 0, change: [0.9, 0, 0] }]);
    // The last row reads half of itself straight on and half by attention: rows 0 and 1 get 0.25 and 0.125 of it.
    [0.9 * 0.25, 0.9 * 0.25 * 0.125].forEach((score, row) => expect(scores[row]).toBeCloseTo(score, 6));
  });

  it('is 0 in front of the change, and has no rows that predict', () => {
    const [scores = []] = rowScores(attention, 3, [{ start: 1, change: [0, 1, 0] }]);
    expect(scores).toHaveLength(2);
    expect(scores[0]).toBe(0);
    expect(scores[1]).toBeCloseTo(0.75 * 0.125, 6);
  });
});

describe('nearbyRowScores', () => {
  it('prefers rows behind the change and at the end, and none in front', () => {
    const [scores = []] = nearbyRowScores(6, [2]);
    expect([...scores].slice(0, 2)).toEqual([0, 0]);
    expect(scores[2]).toBeGreaterThan(scores[3] ?? NaN);
    expect(scores[5]).toBeGreaterThan(scores[4] ?? NaN);
  });
});

const scores = [Float32Array.of(5, 1, 4, 0.5, 0.1, 0.2), Float32Array.of(0, 0, 0, 0, 3, 2)];

describe('chooseRows', () => {
  it('takes the highest rows of all sections together, for what may be spent', () => {
    const [first, second] = chooseRows(scores, [0, 1], { spend: 5, predicting: 1 });
    expect(first?.rows).toEqual([0, 2]);
    expect(second?.rows).toEqual([4]);
    expect([first?.cost, second?.cost]).toEqual([3, 2]);
    expect(first?.omitted).toBeCloseTo(1.8, 5);
    expect(second).toMatchObject({ omitted: 2, isWhole: false });
  });

  it('takes all rows behind a section where nearly all are chosen, and says that the result is exact', () => {
    const [, second] = chooseRows(scores, [0, 4], { spend: 6, predicting: 1 });
    expect(second).toEqual({ rows: [4, 5], cost: 3, isWhole: true, omitted: 0 });
  });

  it('never takes more than may be spent but for the rows that predict', () => {
    const choices = chooseRows(scores, [0, 1], { spend: 1, predicting: 2 });
    expect(choices.map(({ rows }) => rows)).toEqual([[], []]);
    expect(choices.map(({ cost }) => cost)).toEqual([2, 2]);
  });

  it('is exact where nothing stands between a section and the rows that predict', () =>
    expect(chooseRows([new Float32Array(3)], [3], { spend: 9, predicting: 2 })).toEqual([
      { rows: [], cost: 2, isWhole: true, omitted: 0 },
    ]));
});

const estimate = (score: number, omitted: number, exact?: number): Parameters<typeof marginsOf>[0][number] => ({
  row: Float64Array.of(score, 0),
  omitted,
  exact: exact === undefined ? undefined : Float64Array.of(exact, 0),
});

describe('coveringRatio', () => {
  it('is what nine in ten do not exceed, counted with the next one', () => {
    const ratios = Array.from({ length: 19 }, (_, i) => i + 1);
    expect(coveringRatio(ratios)).toBe(18); // ⌈0.9 · 20⌉
  });
  it('is the largest of few, in any order', () => expect(coveringRatio([3, 9, 1])).toBe(9));
  it('is 0 without any', () => expect(coveringRatio([])).toBe(0));
});

describe('marginsOf', () => {
  const all = [estimate(1, 4), estimate(-4, 1), estimate(9, 0)];

  it("multiplies a model's constants by the root of the usual score times what was left out", () => {
    const margins = marginsOf(all, all, { whole: 0.5, tokens: 0.1 });
    expect(margins.isCalibrated).toBe(true);
    expect([...margins.whole]).toEqual([0.5 * Math.sqrt(4 * 4), 0.5 * Math.sqrt(4), 0]);
    [0.1 * 4, 0, 0.1 * 2, 0, 0, 0].forEach((margin, at) => expect(margins.tokens[at]).toBeCloseTo(margin, 12));
  });

  it('takes the errors of exact scores where the model has no constants', () => {
    const known = [estimate(1, 4, 1.5), estimate(-4, 1, -3.5)];
    const margins = marginsOf([estimate(2, 1)], known, undefined);
    expect(margins.isCalibrated).toBe(false);
    expect(margins.whole[0]).toBeCloseTo((0.5 / Math.sqrt(4)) * Math.sqrt(4), 12);
  });

  it('says nothing of errors where none is known', () =>
    expect([...marginsOf([estimate(2, 1)], [estimate(1, 4)], undefined).whole]).toEqual([0]));
});
