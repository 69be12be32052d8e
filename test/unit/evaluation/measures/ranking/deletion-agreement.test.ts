import { describe, expect, it } from 'vitest';
import { type Judged, tableOf } from '../../../../../evaluation/measures/ranking/deletion-agreement.ts';

/** The cells of a setting, by the names of their columns. */
function cells(judged: readonly Judged[]): Record<string, string | undefined> {
  const [head = [], , row = []] = tableOf('set', { hidden: judged })
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(head.map((name, at) => [name, row[at]]));
}

describe('tableOf', () => {
  it('counts first words that are on top against deletion, and those that are named', () => {
    const judged = [
      { scores: [9, 1, 2], losses: [0, 1, 5], named: 2 }, // on top, not named
      { scores: [9, 1, 2], losses: [0, 1, 5], named: null }, // on top and named
      { scores: [9, 1, 2], losses: [8, 1, 5], named: null }, // rightly
      { scores: [1, 1, 2], losses: [0, 1, 5], named: null },
    ];
    expect(cells(judged)).toMatchObject({
      set: 'hidden',
      'same top word': '50 %',
      'first word wrongly on top': '50 %',
      'wrongly named': '25 %',
      'named where deletion ranks it first': '1 of 1',
    });
  });

  it('leaves out prompts without a rank correlation', () =>
    expect(
      cells([
        { scores: [1, 2, 3], losses: [1, 2, 3], named: null },
        { scores: [1, 1, 1], losses: [1, 2, 3], named: null },
      ])['rank correlation'],
    ).toBe('1.000 ± 0.000'));
});
