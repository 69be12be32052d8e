import assert from 'node:assert/strict';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import type { QaResponse } from '../../../src/contract/qa.ts';
import { base64Of, encodePng } from '../../support/files/png.ts';
import type { Ask } from '../transport/ask.ts';
import { row, type Row } from './row.ts';

const MODEL = 'lightwell-base';
/** A red square at the top left, on dark blue. */
const square = encodePng(96, 96, (x, y) => (x < 40 && y < 40 ? [215, 35, 40] : [20, 35, 70]));
const image = { type: 'image', data: base64Of(square) };
const question = { type: 'text', data: 'Question: Where is the square?\nAnswer:' };

async function rectanglesOf(ask: Ask, type: string) {
  const body = { model: MODEL, prompt: [image, question], target: ' at', prompt_granularity: { type } };
  const { explanations } = await ask.ok<ExplainResponse>('/explain', body);
  const items = explanations[0]?.items ?? [];
  assert.deepEqual(
    items.map((item) => item.type),
    ['image', 'text', 'target'],
  );
  const [first] = items;
  return first?.type === 'image' ? first.scores : [];
}

/** What the contract says of pictures in prompts. */
export const IMAGE_ROWS: readonly Row[] = [
  row('interface, Prompt', 'an image becomes 144 tokens', async (ask) => {
    const body = { model: MODEL, layers: [-1], pooling: ['mean'], tokens: true };
    const of = (prompt: readonly object[]) => ask.ok<EmbedResponse>('/embed', { ...body, prompt });
    const [alone, both] = [await of([question]), await of([image, question])];
    assert.equal(both.num_tokens_prompt_total - alone.num_tokens_prompt_total, 144);
    assert.deepEqual(both.tokens?.slice(144), alone.tokens);
  }),
  row('interface, Prompt', 'an image is the same when much follows it in its file', async (ask) => {
    const long = new Uint8Array(1_000_000);
    long.set(square);
    const of = async (data: string) => {
      const body = { model: MODEL, layers: [-1], pooling: ['last_token'], prompt: [{ ...image, data }] };
      return (await ask.ok<EmbedResponse>('/embed', body)).embeddings;
    };
    assert.deepEqual(await of(base64Of(long)), await of(image.data));
  }),
  row('facts §1.5', 'an image is explained by rectangles that cover it, row by row', async (ask) => {
    const scores = await rectanglesOf(ask, 'sentence');
    const thirds = [0, 1, 2].map((third) => third / 3);
    assert.deepEqual(
      scores.map(({ rect }) => [rect.top, rect.left].map((share) => Math.round(share * 3))),
      thirds.flatMap((_, y) => thirds.map((__, x) => [y, x])),
    );
    assert.ok(scores.every(({ score }) => Number.isFinite(score)));
    assert.ok(scores.some(({ score }) => score !== 0));
  }),
  row('facts §1.2', 'a control acts on the part of an image that it covers', async (ask) => {
    const body = { model: MODEL, layers: [-1], pooling: ['last_token'] };
    const of = async (controls: readonly object[]) => {
      const answer = await ask.ok<EmbedResponse>('/embed', { ...body, prompt: [{ ...image, controls }, question] });
      return Object.values(answer.embeddings)[0]?.last_token;
    };
    const rect = { left: 0, top: 0, width: 0.5, height: 0.5 };
    assert.notDeepEqual(await of([{ rect, factor: 0 }]), await of([]));
    assert.deepEqual(await of([{ rect, factor: 1 }]), await of([]));
  }),
  row('facts §1.2', 'a control may not reach beyond the image', async (ask) => {
    const controls = [{ rect: { left: 0.6, top: 0, width: 0.5, height: 1 }, factor: 0 }];
    const { error } = await ask.refused(400, '/embed', { model: MODEL, prompt: [{ ...image, controls }] });
    assert.match(error, /^prompt\[0\]\.controls\[0\]\.rect: expected left \+ width of at most 1/);
  }),
  row('facts §1.6', 'a document may show an image', async (ask) => {
    const body = { query: 'What is in the picture?', documents: [{ prompt: [image] }] };
    const { model_version: version, answers } = await ask.ok<QaResponse>('/qa', body);
    assert.match(version, /^lightwell-base/);
    assert.equal(answers.length, 1);
  }),
];
