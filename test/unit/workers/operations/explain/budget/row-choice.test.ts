import { describe, expect, it } from 'vitest';
import { chooseRows } from '../../../../../../workers/operations/explain/budget/row-choice.ts';

const scores = [Float32Array.of(5, 1, 4, 0.5, 0.1, 0.2), Float32Array.of(0, 0, 0, 0, 3, 2)];

describe('chooseRows', () => {
  it('takes the highest rows of all sections together, for what may be spent', () => {
    const [first, second] = chooseRows(scores, [0, 1], { spend: 5, predicting: 1 });
    expect(first?.rows).toEqual([0, 2]);
    expect(second?.rows).toEqual([4]);
    expect([first?.cost, second?.cost]).toEqual([3, 2]);
    expect(first?.left).toBeCloseTo(1.8, 5);
    expect(second).toMatchObject({ left: 2, isWhole: false });
  });

  it('takes all rows behind a section where nearly all are chosen, and says that the result is exact', () => {
    const [, second] = chooseRows(scores, [0, 4], { spend: 6, predicting: 1 });
    expect(second).toEqual({ rows: [4, 5], cost: 3, isWhole: true, left: 0 });
  });

  it('never takes more than may be spent but for the rows that predict', () => {
    const choices = chooseRows(scores, [0, 1], { spend: 1, predicting: 2 });
    expect(choices.map(({ rows }) => rows)).toEqual([[], []]);
    expect(choices.map(({ cost }) => cost)).toEqual([2, 2]);
  });

  it('is exact where nothing stands between a section and the rows that predict', () =>
    expect(chooseRows([new Float32Array(3)], [3], { spend: 9, predicting: 2 })).toEqual([
      { rows: [], cost: 2, isWhole: true, left: 0 },
    ]));
});
