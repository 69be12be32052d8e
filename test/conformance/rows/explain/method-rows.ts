import assert from 'node:assert/strict';
import type { ExplainResponse } from '../../../../src/contract/explain.ts';
import type { EvaluateResponse } from '../../../../src/contract/likelihood.ts';
import type { Ask } from '../../transport/ask.ts';
import { assertClose } from '../../transport/close.ts';
import { row, type Row } from '../row.ts';

const PROMPT = "A table at Luigi's in Oakland 🍕 please.";
const body = { model: 'lightwell-base', prompt: PROMPT, target: " Luigi's", prompt_granularity: { type: 'word' } };
const METHODS = ['deletion', 'insertion', 'sparse_linear', 'shapley'] as const;

const explained = (ask: Ask, method: string, change: object = {}) =>
  ask.ok<ExplainResponse>('/explain', { ...body, method, ...change });

function textOf({ explanations }: ExplainResponse) {
  const [item] = explanations[0]?.items ?? [];
  assert.ok(item?.type === 'text');
  return { scores: item.scores.map(({ score }) => score), sections: item.scores, margins: item.margins };
}

async function likelihood(ask: Ask, prompt: string | readonly object[]) {
  const asked = { model: body.model, prompt, completion_expected: body.target };
  return (await ask.ok<EvaluateResponse>('/evaluate', asked)).result.log_probability;
}

/** `POST /explain` with the field `method`. */
export const METHOD_ROWS: readonly Row[] = [
  row('docs/api', 'without a method, and with attention, the answer is the same', async (ask) => {
    const { requests, ...answer } = await ask.ok<ExplainResponse>('/explain', body);
    assert.equal(requests, undefined);
    assert.deepEqual(answer, await explained(ask, 'attention'));
    assert.deepEqual(answer, await ask.ok('/explain', { ...body, method: null, max_requests: null }));
  }),
  row('docs/api', 'deletion scores are what the target loses in /evaluate without each section', async (ask) => {
    const answer = await explained(ask, 'deletion');
    const { scores, sections, margins } = textOf(answer);
    const whole = await likelihood(ask, PROMPT);
    const losses: number[] = [];
    for (const { start, length } of sections) {
      const characters = [...PROMPT];
      const rest =
        characters.slice(0, start).join('') +
        characters
          .slice(start + length)
          .join('')
          .trimStart();
      losses.push(whole - (await likelihood(ask, rest.trimEnd())));
    }
    assertClose(scores, losses, 1e-4);
    assert.equal(margins, undefined);
    assert.equal(answer.requests, sections.length + 1);
  }),
  row(
    'docs/api',
    'with a replacement, scores are what the target loses in /evaluate with it in the place of sections',
    async (ask) => {
      const replacement = '...';
      const answer = await explained(ask, 'deletion', { replacement });
      const { scores, sections } = textOf(answer);
      const whole = await likelihood(ask, PROMPT);
      const losses: number[] = [];
      for (const { start, length } of sections) {
        const characters = [...PROMPT];
        const rest = characters.toSpliced(start, length, replacement).join('');
        losses.push(whole - (await likelihood(ask, rest)));
      }
      assertClose(scores, losses, 1e-4);
      assert.equal(answer.requests, sections.length + 1);
      assert.deepEqual(await explained(ask, 'deletion', { replacement: null }), await explained(ask, 'deletion'));
    },
  ),
  row('docs/api', 'insertion scores are what the target gains in /evaluate from each section alone', async (ask) => {
    const prompt = ["A table at Luigi's. ", 'It is in Oakland. ', 'Where?'].map((data) => ({ type: 'text', data }));
    const change = { prompt, explained_items: [0, 1], prompt_granularity: { type: 'sentence' } };
    const { explanations, requests } = await explained(ask, 'insertion', change);
    const without = (...gone: readonly number[]) =>
      likelihood(
        ask,
        prompt.filter((_, item) => !gone.includes(item)),
      );
    const none = await without(0, 1);
    for (const item of [0, 1]) {
      const [found] = explanations[0]?.items[item]?.scores ?? [];
      assert.ok(typeof found === 'object');
      assertClose([found.score], [(await without(1 - item)) - none], 1e-4);
    }
    assert.equal(requests, 4);
  }),
  row('docs/api', 'estimates of other methods have margins, and stay within their requests', async (ask) => {
    for (const [method, most] of [
      ['sparse_linear', 32],
      ['shapley', 100],
    ] as const) {
      const answer = await explained(ask, method, { max_requests: most });
      const { scores, margins } = textOf(answer);
      assert.equal(margins?.length, scores.length);
      assert.ok(margins?.every((margin) => margin !== null && margin >= 0));
      assert.equal(answer.margins_from, 'prompt');
      assert.ok((answer.requests ?? Infinity) <= most);
    }
  }),
  row(
    'docs/api',
    'single tokens of the target add up to the whole with deletion, insertion and Shapley values',
    async (ask) => {
      for (const method of ['deletion', 'insertion', 'shapley']) {
        const whole = textOf(await explained(ask, method)).scores;
        const { explanations } = await explained(ask, method, { target_granularity: 'token' });
        const lists = explanations.map((each) => textOf({ model_version: '', explanations: [each] }).scores);
        assertClose(
          whole.map((_, at) => lists.reduce((sum, list) => sum + (list[at] ?? 0), 0)),
          whole,
          1e-4,
        );
      }
    },
  ),
  row('docs/api', 'token ids are deleted one by one', async (ask) => {
    for (const method of METHODS) {
      const prompt = [
        { type: 'token_ids', data: [5, 6, 7] },
        { type: 'text', data: ' is' },
      ];
      const { explanations } = await explained(ask, method, { prompt });
      assert.equal(explanations[0]?.items[0]?.scores.length, 3);
    }
  }),
  row('docs/api', 'only the items that a request names have sections, and their scores stay the same', async (ask) => {
    const prompt = ["A table at Luigi's. ", 'Where? '].map((data) => ({ type: 'text', data }));
    for (const method of ['attention', 'deletion']) {
      const all = (await explained(ask, method, { prompt })).explanations[0]?.items;
      const some = (await explained(ask, method, { prompt, explained_items: [1] })).explanations[0]?.items;
      assert.deepEqual(some?.[0], { type: 'text', scores: [] });
      assert.deepEqual(some?.[1], all?.[1]);
    }
    const { error } = await ask.refused(400, '/explain', { ...body, explained_items: [0, 1] });
    assert.match(error, /^explained_items\[1\]: expected an index below 1, got 1/);
  }),
  row('docs/api', 'what cannot be deleted, and fields of other methods, are refused with their names', async (ask) => {
    const controls = [{ start: 0, length: 1, factor: 0.5 }];
    for (const [path, change] of [
      ['foil', { foil: ' Mario' }],
      ['contextual_control_threshold', { contextual_control_threshold: 0.5 }],
      ['prompt[0].controls', { prompt: [{ type: 'text', data: PROMPT, controls }] }],
      ['max_requests', { max_requests: 16, method: 'shapley', prompt: PROMPT.repeat(3) }],
      ['max_requests', { max_requests: 16, method: 'insertion', prompt: PROMPT.repeat(3) }],
      ['max_requests', { max_requests: 20, method: 'attention' }],
      ['max_requests', { max_requests: 15 }],
      ['method', { method: 'gradient' }],
      ['replacement', { replacement: '...', method: 'attention' }],
      ['replacement', { replacement: '' }],
      ['prompt[0]', { replacement: '...', prompt: [{ type: 'token_ids', data: [5, 6] }] }],
    ] as const) {
      const { error } = await ask.refused(400, '/explain', { ...body, method: 'deletion', ...change });
      assert.ok(error.startsWith(`${path}: `), error);
    }
    assert.match((await ask.refused(400, '/explain?budget=0.5', { ...body, method: 'deletion' })).error, /^budget: /);
  }),
];
