import assert from 'node:assert/strict';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import type { Ask } from '../transport/ask.ts';
import { assertClose } from '../transport/close.ts';
import { row, type Row } from './row.ts';

const TEXT = 'An apple a day keeps the doctor away.';
const embed = (ask: Ask, body: object) => ask.ok<EmbedResponse>('/embed', { model: 'lightwell-base', ...body });

type Pooling = 'mean' | 'weighted_mean' | 'max' | 'last_token' | 'abs_max';

/** One pooled vector of a layer. */
async function vectorOf(ask: Ask, prompt: unknown, pooling: Pooling = 'mean', more: object = {}): Promise<number[]> {
  const { embeddings } = await embed(ask, { prompt, layers: [0], pooling: [pooling], ...more });
  return Object.values(embeddings)[0]?.[pooling] ?? [];
}

const IDS = [300, 412, 77];
const idsItem = (data: readonly number[]) => [{ type: 'token_ids', data }];

/** Layer 0 of each id by itself: word embeddings depend on nothing else. */
const singles = (ask: Ask) => Promise.all(IDS.map((id) => vectorOf(ask, idsItem([id]))));

/** Pools vectors of single tokens by a formula of one coordinate, and compares with what the service pooled. */
async function assertPooled(ask: Ask, pooling: Pooling, formula: (values: readonly number[]) => number): Promise<void> {
  const vectors = await singles(ask);
  const expected = vectors[0]?.map((_, k) => formula(vectors.map((vector) => vector[k] ?? NaN))) ?? [];
  assertClose(await vectorOf(ask, idsItem(IDS), pooling), expected);
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const largest = (values: readonly number[]) => Math.max(...values);

/** A control on a text item. */
const controlled = (control: object) => [{ type: 'text', data: TEXT, controls: [control] }];

/** `POST /embed`. */
export const EMBED_ROWS: readonly Row[] = [
  row('facts §1.3', 'the answer has its four keys in order', async (ask) => {
    const keys = Object.keys(await embed(ask, { prompt: TEXT }));
    assert.deepEqual(keys, ['model_version', 'embeddings', 'tokens', 'num_tokens_prompt_total']);
  }),
  row('facts §1.1', 'what the official client sends is accepted: items, explicit nulls and false', async (ask) => {
    const { tokens } = await embed(ask, {
      prompt: [{ type: 'text', data: TEXT, controls: [] }],
      layers: [-1],
      pooling: ['mean'],
      type: null,
      tokens: false,
      normalize: false,
      contextual_control_threshold: null,
      control_log_additive: true,
      hosting: null,
    });
    assert.equal(tokens, null);
  }),
  row('interface, Prompt', 'a string is a prompt of one text item', async (ask) => {
    assert.deepEqual(await vectorOf(ask, TEXT), await vectorOf(ask, [{ type: 'text', data: TEXT }]));
  }),
  row('interface, Prompt', 'items are concatenated into one prompt, and token ids used as they are', async (ask) => {
    const { num_tokens_prompt_total: alone } = await embed(ask, { prompt: TEXT });
    const prompt = [...idsItem(IDS), { type: 'text', data: TEXT }];
    assert.equal((await embed(ask, { prompt })).num_tokens_prompt_total, alone + IDS.length);
  }),
  row('facts §1.3', 'layers are named by their number, negative ones resolved', async (ask) => {
    const { embeddings } = await embed(ask, { prompt: TEXT, layers: [0, 1, -1, -2] });
    const names = Object.keys(embeddings);
    const numbers = names.map((name) => Number(/^layer_(\d+)$/.exec(name)?.[1]));
    assert.ok(
      numbers.every((number) => number >= 0),
      names.join(),
    );
    assert.ok(numbers.includes(Math.max(...numbers) - 1));
  }),
  row('interface, POST /embed', '-1 is the last layer', async (ask) => {
    const [name = ''] = Object.keys((await embed(ask, { prompt: TEXT, layers: [-1] })).embeddings);
    const last = Number(name.replace('layer_', ''));
    await ask.refused(400, '/embed', { model: 'lightwell-base', prompt: TEXT, layers: [last + 1] });
  }),
  row('facts §1.3', 'poolings are named, in the order asked for', async (ask) => {
    const pooling = ['max', 'mean', 'last_token', 'abs_max', 'weighted_mean'];
    const { embeddings } = await embed(ask, { prompt: TEXT, pooling });
    for (const layer of Object.values(embeddings)) assert.deepEqual(Object.keys(layer), pooling);
  }),
  row('facts §1.3', 'layers and pooling may be left out: the last layer and the mean', async (ask) => {
    const { embeddings } = await embed(ask, { prompt: TEXT });
    assert.deepEqual(
      Object.values(embeddings).map((layer) => Object.keys(layer)),
      [['mean']],
    );
  }),
  row('facts §1.3', 'mean is the average over the sequence', (ask) =>
    assertPooled(ask, 'mean', (values) => sum(values) / values.length),
  ),
  row('facts §1.3', 'weighted_mean weighs later tokens more, linearly', (ask) =>
    assertPooled(ask, 'weighted_mean', (values) => sum(values.map((value, i) => value * (i + 1))) / 6),
  ),
  row('interface, POST /embed', 'max is the maximum over the sequence', (ask) => assertPooled(ask, 'max', largest)),
  row('interface, POST /embed', 'abs_max is the maximum of absolute values', (ask) =>
    assertPooled(ask, 'abs_max', (values) => largest(values.map(Math.abs))),
  ),
  row('interface, POST /embed', 'last_token is the last token', (ask) =>
    assertPooled(ask, 'last_token', (values) => values.at(-1) ?? NaN),
  ),
  row('facts §1.3', 'mean and max of one token are equal', async (ask) => {
    const { embeddings } = await embed(ask, { prompt: idsItem([300]), pooling: ['mean', 'max'] });
    for (const layer of Object.values(embeddings)) assert.deepEqual(layer.mean, layer.max);
  }),
  row('facts §1.3', 'tokens come with their leading spaces, when asked for', async (ask) => {
    const { tokens, num_tokens_prompt_total: count } = await embed(ask, { prompt: TEXT, tokens: true });
    assert.equal(tokens?.join('').trim(), TEXT);
    assert.equal(tokens?.length, count);
  }),
  row('interface, Shared request elements', 'normalize gives vectors of length 1', async (ask) => {
    const vector = await vectorOf(ask, TEXT, 'mean', { normalize: true, layers: [-1] });
    assertClose([Math.hypot(...vector)], [1]);
  }),
  row('facts §1.1', 'numbers are the shortest that stand for their float32', async (ask) => {
    for (const value of await vectorOf(ask, TEXT)) {
      const digits = String(Math.abs(value))
        .replace(/e.*|\D/g, '')
        .replace(/^0+/, '');
      assert.ok(digits.length <= 9, String(value));
    }
  }),
  row('facts §1.2', 'a control changes the embedding; factor 1 does not, factor 0 is legal', async (ask) => {
    const plain = await vectorOf(ask, TEXT, 'mean', { layers: [-1] });
    const withFactor = (factor: number) =>
      vectorOf(ask, controlled({ start: 3, length: 5, factor }), 'mean', { layers: [-1] });
    assertClose(await withFactor(1), plain);
    for (const factor of [0, 0.1, 2]) assert.notDeepEqual(await withFactor(factor), plain);
  }),
  row('facts §1.2', 'a partial control moves its factor towards 1 by the share it leaves out', async (ask) => {
    const { tokens } = await embed(ask, { prompt: TEXT, tokens: true });
    const length = tokens?.[0]?.trim().length ?? 0;
    assert.ok(length > 1, 'the first token of the text has one character only');
    const part = { start: 0, length: 1, factor: 2, token_overlap: 'partial' };
    const whole = { start: 0, length, factor: 1 + 1 / length, token_overlap: 'complete' };
    const of = (control: object) => vectorOf(ask, controlled(control), 'mean', { layers: [-1] });
    assertClose(await of(part), await of(whole));
    const { token_overlap: _, ...unsaid } = part;
    assert.deepEqual(await of(unsaid), await of(part)); // partial is the default
  }),
  row('facts §1.3', 'a control also weighs its token in the pooling', async (ask) => {
    const [first = [], second = []] = await singles(ask);
    const prompt = [{ type: 'token_ids', data: IDS.slice(0, 2), controls: [{ index: 0, factor: 0.5 }] }];
    const expected = first.map((value, k) => (0.25 * value + (second[k] ?? NaN)) / 1.25);
    assertClose(await vectorOf(ask, prompt), expected);
  }),
  row('interface, Shared request elements', 'both ways of applying a control are there, and differ', async (ask) => {
    const prompt = controlled({ start: 3, length: 5, factor: 0.3 });
    const of = (additive: boolean) =>
      vectorOf(ask, prompt, 'last_token', { layers: [-1], control_log_additive: additive });
    assert.notDeepEqual(await of(true), await of(false));
  }),
  row('interface, Shared request elements', 'a threshold spreads a control to similar tokens', async (ask) => {
    const prompt = [{ type: 'token_ids', data: [300, 77, 300], controls: [{ index: 0, factor: 0.1 }] }];
    const of = (threshold: number | null) =>
      vectorOf(ask, prompt, 'last_token', { layers: [-1], contextual_control_threshold: threshold });
    assert.notDeepEqual(await of(0.95), await of(null));
    assert.equal((await of(0)).length, (await of(null)).length); // 0 is a threshold like any other
  }),
  row('interface, Prompt', 'spans count code points', async (ask) => {
    const data = '🍎🍎 pie';
    const of = (length: number) =>
      ask.raw('/embed', {
        model: 'lightwell-base',
        prompt: [{ type: 'text', data, controls: [{ start: 0, length, factor: 0.5 }] }],
      });
    assert.deepEqual([(await of(6)).status, (await of(7)).status], [200, 400]);
  }),
  row('facts §1.2', 'an image is refused by a model that reads none', async (ask) => {
    const prompt = [{ type: 'image', data: 'iVBORw0KGgo=' }];
    const { code } = await ask.refused(400, '/embed', { model: 'lightwell-embed', prompt });
    assert.equal(code, 'MISSING_CAPABILITY');
  }),
];
