import { describe, expect, it } from 'vitest';
import { questionPrompt, citationBody, linksOf, passageScores } from '../../../src/explanations/citations.ts';

const SENTENCE = {
  passages: ['The rent is 900 euros.', 'Ada pays.'],
  asked: questionPrompt(' Who pays? '),
  sentence: ' Ada.',
};

/** Scores of one section for each item that has any. */
const explained = (...items: readonly (readonly number[])[]) => [
  {
    target: ' Ada.',
    items: [
      ...items.map((scores) => ({
        type: 'text' as const,
        scores: scores.map((score) => ({ start: 0, length: 1, score })),
      })),
      { type: 'target' as const, scores: [] },
    ],
  },
];

describe('citationBody', () => {
  it('has each passage as an item and a section, and the question after them', () => {
    expect(citationBody('m', SENTENCE, 'deletion')).toEqual({
      model: 'm',
      prompt: ['The rent is 900 euros.\n\n', 'Ada pays.\n\n', '\nQuestion: Who pays?\nAnswer:'].map((data) => ({
        type: 'text',
        data,
      })),
      target: ' Ada.',
      explained_items: [0, 1],
      prompt_granularity: { type: 'paragraph' },
      method: 'deletion',
    });
  });
});

describe('passageScores', () => {
  const body = citationBody('m', SENTENCE, 'insertion');
  it('has one for each passage', () => {
    expect(passageScores(body, explained([0.5], [-2], []))).toEqual([0.5, -2]);
  });
  it.each([
    ['two sections of a passage', [[0.5, 1], [-2], []]],
    ['none', [[0.5], [], []]],
    ['those of the question', [[0.5], [], [1]]],
  ])('refuses %s', (_, items) => {
    expect(() => passageScores(body, explained(...items))).toThrow(/^expected a score for each of 2 passages/);
  });
});

describe('linksOf', () => {
  it('names passages that are necessary or sufficient, the greatest effect first', () => {
    expect(linksOf([1.5, 0.2, 0.9, -3], [0.1, 4, 1.99, 2])).toEqual([
      { passage: 1, necessity: 0.2, sufficiency: 4 },
      { passage: 3, necessity: -3, sufficiency: 2 },
      { passage: 0, necessity: 1.5, sufficiency: 0.1 },
    ]);
  });
  it('names none where none makes the sentence e times as likely', () => {
    expect(linksOf([0.99, 0], [0.5, -7])).toEqual([]);
  });
});
