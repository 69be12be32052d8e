import { describe, expect, it } from 'vitest';
import { ExplainRequest } from '../../../../src/contract/explain.ts';
import type { ExplainOutput } from '../../../../src/protocol/jobs.ts';
import { contrastOf } from '../../../../src/router/operations/explain.ts';

/** Two words and an earlier token of the target, for a target of two tokens and a foil of one. */
const explained: ExplainOutput = {
  sections: [
    { item: 0, span: { start: 0, length: 2 } },
    { item: 0, span: { start: 3, length: 4 } },
    { item: 1, index: 0, span: { start: 0, length: 2 } },
  ],
  targetTokens: [' a', ' b'],
  foilTokens: [' c'],
  estimated: null,
  budget: null,
  requests: null,
  influence: Float64Array.of(1, 2, 5, -1, 4, 1, 0, 7, 0),
};

const contrast = (change: object = {}) =>
  contrastOf(explained, ExplainRequest.parse({ model: 'm', prompt: '😀 Rome', target: ' a b', ...change }), ' c');

const scoresOf = (items: ReturnType<typeof contrast>['items']) =>
  items.map(({ scores }) => scores.map((score) => (typeof score === 'number' ? score : score.score)));

describe('contrastOf', () => {
  it('is target minus foil for each section of the prompt, spans in code points', () => {
    expect(contrast()).toEqual({
      foil: ' c',
      items: [
        {
          type: 'text',
          scores: [
            { start: 0, length: 1, score: -2 },
            { start: 2, length: 4, score: 2 },
          ],
        },
        { type: 'target', scores: [] },
      ],
      foil_items: [
        {
          type: 'text',
          scores: [
            { start: 0, length: 1, score: 5 },
            { start: 2, length: 4, score: 1 },
          ],
        },
        { type: 'target', scores: [] },
      ],
    });
  });

  it('processes differences, not what they are made of', () => {
    const { items, foil_items: ofFoil } = contrast({ postprocessing: 'square' });
    expect(scoresOf(items)).toEqual([[4, 4], []]);
    expect(scoresOf(ofFoil)).toEqual([[25, 1], []]);
  });

  it('scales each list by itself', () => {
    const { items, foil_items: ofFoil } = contrast({ normalize: true });
    expect(scoresOf(items)).toEqual([[0, 1], []]);
    expect(scoresOf(ofFoil)).toEqual([[1, 0], []]);
  });
});
