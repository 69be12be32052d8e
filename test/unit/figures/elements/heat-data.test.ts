import { describe, expect, it } from 'vitest';
import { heatDataOf } from '../../../../src/figures/elements/heat-data.ts';

const TEXT = 'a 🐈 b';

describe('heatDataOf', () => {
  it('finds the text of scores by code points', () => {
    const { influence } = heatDataOf(TEXT, [
      { start: 2, length: 1, score: 1.5 },
      { start: 4, length: 1, score: -1 },
    ]);
    expect(influence.prompt.map(({ text, total }) => [text, total])).toEqual([
      ['🐈', 1.5],
      ['b', -1],
    ]);
  });

  it('adds up lists, and keeps targets apart that would make up a word', () => {
    const lists = [[{ start: 0, length: 1, score: 1 }], [{ start: 0, length: 1, score: -3 }]];
    const { influence } = heatDataOf(TEXT, lists, ['ab', 'c']);
    expect(influence.targets).toEqual(['ab', 'c']);
    expect(influence.prompt).toMatchObject([{ scores: [1, -3], total: -2 }]);
    expect(heatDataOf(TEXT, lists).influence.targets).toEqual(['1', '2']);
  });

  it('divides scores of another unit by the size of the largest of all lists', () => {
    const lists = [[{ start: 0, length: 1, score: 0.002 }], [{ start: 0, length: 1, score: -0.004 }]];
    const { influence } = heatDataOf(TEXT, lists, [], 'share');
    expect(influence.prompt).toMatchObject([{ scores: [0.5, -1] }]);
    expect(heatDataOf(TEXT, [{ start: 0, length: 1, score: 0 }], [], 'share').influence.prompt).toMatchObject([
      { total: 0 },
    ]);
  });

  it.each([
    ['text', 1, [], 'text: expected a text, got 1'],
    ['scores', TEXT, null, 'scores: expected a list, got null'],
    ['an item', TEXT, [3], 'scores[0]: expected { start, length, score }, got 3'],
    ['a start', TEXT, [{ start: -1, length: 1, score: 1 }], 'scores[0].start: expected an integer from 0 to 5, got -1'],
    ['a length', TEXT, [{ start: 4, length: 2, score: 1 }], 'scores[0].length: expected an integer from 0 to 1, got 2'],
    ['a list', TEXT, [[], 3], 'scores[1]: expected a list, got 3'],
    [
      'a score',
      TEXT,
      [[], [{ start: 0, length: 1, score: NaN }]],
      'scores[1][0].score: expected a finite number, got NaN',
    ],
  ])('refuses %s that is none', (_what, text, scores, message) => {
    expect(() => heatDataOf(text as string, scores)).toThrow(message);
  });
});
