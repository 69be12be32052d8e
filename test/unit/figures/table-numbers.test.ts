import { describe, expect, it } from 'vitest';
import { ExplainRequest } from '../../../src/contract/explain.ts';
import { explanationsOf } from '../../../src/router/operations/explain.ts';
import { createPause } from '../../../src/contract/pause.ts';
import { influenceOf } from '../../../src/explanations/influence.ts';
import { POSTPROCESSING } from '../../../src/explanations/question.ts';
import { tableNumbers } from '../../../src/figures/elements/score-table.ts';

const SCORES = [2, -3, 0.5];
const items = [{ type: 'text' as const, scores: SCORES.map((score, start) => ({ start, length: 1, score })) }];
const { sections } = influenceOf([{ target: 'x', items }], { prompt: 'abc', target: 'x', isStrengthened: false });

function numbers(postprocessing: (typeof POSTPROCESSING)[number], normalize: boolean) {
  const { head, texts } = tableNumbers(sections, 'whole', { postprocessing, normalize });
  return { head, texts: [...texts.values()] };
}

describe('tableNumbers', () => {
  it.each([
    ['none', false, 'Score, nats', ['+2.00', '−3.00', '+0.50']],
    ['absolute', false, 'Size of the score, nats', ['+2.00', '+3.00', '+0.50']],
    ['square', false, 'Square of the score, nats²', ['+4.00', '+9.00', '+0.25']],
    ['none', true, 'Score, 0 to 1', ['1.000', '0.000', '0.700']],
    ['square', true, 'Square of the score, 0 to 1', ['0.429', '1.000', '0.000']],
  ] as const)('%s, scaled: %s', (postprocessing, normalize, head, texts) => {
    expect(numbers(postprocessing, normalize)).toEqual({ head, texts });
  });

  it.each([
    ['none', false, 'about +2.00 ± 0.25'],
    ['absolute', false, '≈ +2.00'],
    ['none', true, '≈ 1.000'],
  ] as const)('marks an estimate: %s, scaled: %s', (postprocessing, normalize, text) => {
    const estimated = sections.map((section, at) => (at === 0 ? { ...section, margins: [0.25] } : section));
    const { texts } = tableNumbers(estimated, 'whole', { postprocessing, normalize });
    expect([...texts.values()].map((each) => each === text)).toEqual([true, false, false]);
  });

  it.each(POSTPROCESSING)('does what the service does: %s', async (postprocessing) => {
    const explained = {
      sections: sections.map(() => ({ item: 0, index: 0 })),
      targetTokens: ['x'],
      foilTokens: [],
      influence: Float64Array.from(SCORES),
      estimated: null,
      budget: null,
      requests: null,
    };
    const prompt = [{ type: 'token_ids', data: [1, 2, 3] }];
    const request = ExplainRequest.parse({ model: 'm', prompt, target: 'x', postprocessing, normalize: true });
    const [served] = await explanationsOf(explained, request, createPause());
    const scores = served?.items[0]?.scores.map((score) => Number(score).toFixed(3));
    expect(numbers(postprocessing, true).texts).toEqual(scores);
  });
});
