import assert from 'node:assert/strict';
import type { Explanation, ExplainResponse } from '../../../../src/contract/explain.ts';
import type { Ask } from '../../transport/ask.ts';
import { assertClose } from '../../transport/close.ts';
import { row, type Row } from '../row.ts';

const TARGET = ' pizza with cheese';

const FOIL = ' apples and pears';

const base = {
  model: 'lightwell-base',
  prompt: 'I am a programmer and French. My favourite food is',
  target: TARGET,
  prompt_granularity: { type: 'word' },
};

/** The scores of the prompt's text, of the target, of the foil, and of the difference. */
async function contrasted(ask: Ask, body: object = {}) {
  const { explanations, contrast } = await ask.ok<ExplainResponse>('/explain', {
    ...base,
    foil: FOIL,
    ...body,
  });
  assert.ok(contrast && explanations[0]);
  return {
    contrast,
    target: scoresOf(explanations[0].items),
    difference: scoresOf(contrast.items),
    foil: scoresOf(contrast.foil_items),
  };
}

/** Scores without a foil. */
async function alone(ask: Ask, body: object): Promise<number[]> {
  const { explanations } = await ask.ok<ExplainResponse>('/explain', { ...base, ...body });
  return scoresOf(explanations[0]?.items ?? []);
}

function scoresOf(items: Explanation['items']): number[] {
  const [text] = items;
  return text?.type === 'text' ? text.scores.map(({ score }) => score) : [];
}

/** `POST /explain` with a foil. */
export const CONTRAST_ROWS: readonly Row[] = [
  row('docs/decisions', 'a foil changes nothing about the target, and is scored as if it were one', async (ask) => {
    const { contrast, target, foil } = await contrasted(ask);
    assert.equal(contrast.foil, FOIL);
    assertClose(target, await alone(ask, {}), 1e-4);
    assertClose(foil, await alone(ask, { target: FOIL }), 1e-4);
  }),
  row('docs/decisions', 'a contrast is target minus foil, before postprocessing', async (ask) => {
    const { difference, target, foil } = await contrasted(ask);
    const expected = target.map((score, i) => score - (foil[i] ?? NaN));
    assertClose(difference, expected, 1e-5);
    assertClose((await contrasted(ask, { postprocessing: 'absolute' })).difference, expected.map(Math.abs), 1e-4);
    const scaled = (await contrasted(ask, { normalize: true })).difference;
    assert.deepEqual([Math.min(...scaled), Math.max(...scaled)], [0, 1]);
  }),
  row('docs/decisions', 'a contrast is of the whole target, whatever its granularity', async (ask) => {
    const { contrast, difference } = await contrasted(ask, { target_granularity: 'token' });
    assertClose(difference, (await contrasted(ask)).difference, 1e-4);
    assert.deepEqual(contrast.items.at(-1), { type: 'target', scores: [] });
  }),
  row('docs/decisions', 'without a foil there is no contrast', async (ask) => {
    for (const body of [base, { ...base, foil: null }])
      assert.equal('contrast' in (await ask.ok<ExplainResponse>('/explain', body)), false);
  }),
  row('docs/decisions', 'an empty foil is refused', async (ask) => {
    assert.match((await ask.refused(400, '/explain', { ...base, foil: '' })).error, /^foil: /);
  }),
];
