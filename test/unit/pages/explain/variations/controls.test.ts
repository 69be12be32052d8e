import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../../src/contract/explain.ts';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { predictBodyOf } from '../../../../../src/explanations/request.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../../../src/explanations/question.ts';
import { bodyWith } from '../../../../../src/pages/explain/variations/what-if-store.ts';
import { PREDICTION } from '../../../../support/fakes/fake-explain.ts';

const RECT = { left: 0, top: 0.5, width: 0.5, height: 0.5 };
const PICTURE = { name: 'p', type: 'image/png', data: 'AAAA' };

function outcomeWith(question: Partial<Question> = {}) {
  const asked = { picture: null, prompt: '𝔸 red hat', target: ' a', settings: DEFAULT_QUESTION_SETTINGS, ...question };
  const items: Explanation['items'] = [
    ...(asked.picture ? [{ type: 'image' as const, scores: [{ rect: RECT, score: 1 }] }] : []),
    {
      type: 'text',
      scores: [
        { start: 0, length: 1, score: 0 },
        { start: 2, length: 3, score: 1 },
        { start: 6, length: 3, score: 2 },
      ],
    },
  ];
  return outcomeOf(asked, [{ target: ' a', items }], 'm 1', PREDICTION);
}

describe('bodyWith', () => {
  it('is the request of the result where nothing is changed', () => {
    const outcome = outcomeWith();
    expect(bodyWith(outcome, new Map(), 'm')).toEqual(predictBodyOf(outcome.question, 'm'));
  });

  it('has a control for each changed section, in code points and in the order of the text', () => {
    const factors = new Map([
      ['prompt-6-3', 4],
      ['prompt-2-3', 0],
    ]);
    expect(bodyWith(outcomeWith(), factors, 'm').prompt).toEqual([
      {
        type: 'text',
        data: '𝔸 red hat',
        controls: [
          { start: 2, length: 3, factor: 0, token_overlap: 'partial' },
          { start: 6, length: 3, factor: 4, token_overlap: 'partial' },
        ],
      },
    ]);
  });

  it('puts controls of tiles on the picture, and those of words on the text', () => {
    const outcome = outcomeWith({ picture: PICTURE });
    const tile = outcome.influence.picture[0]?.id ?? '';
    const body = bodyWith(outcome, new Map([[tile, 0.5], ['prompt-2-3', 2]]), 'm'); // oxfmt-ignore
    expect(body.prompt).toEqual([
      { type: 'image', data: 'AAAA', controls: [{ rect: RECT, factor: 0.5, token_overlap: 'partial' }] },
      { type: 'text', data: '𝔸 red hat', controls: [{ start: 2, length: 3, factor: 2, token_overlap: 'partial' }] },
    ]);
  });

  it('scales and spreads attention as the result did', () => {
    const settings = {
      ...DEFAULT_QUESTION_SETTINGS,
      overlap: 'complete',
      logAdditive: false,
      similarity: 0.7,
    } as const;
    const body = bodyWith(outcomeWith({ settings }), new Map([['prompt-2-3', 0]]), 'm');
    expect(body).toMatchObject({
      control_log_additive: false,
      contextual_control_threshold: 0.7,
      prompt: [{ controls: [{ token_overlap: 'complete' }] }],
    });
  });
});
