import assert from 'node:assert/strict';
import type { BatchSemanticEmbedResponse, SemanticEmbedResponse } from '../../../src/contract/embed.ts';
import type { Ask } from '../transport/ask.ts';
import { assertClose } from '../transport/close.ts';
import { row, type Row } from './row.ts';

const BATCH = '/batch_semantic_embed';
const PROMPTS = ['A cat sits on the mat.', 'Stocks fell sharply on Monday after a week of gains.', 'hello'];

const batch = (ask: Ask, body: object = {}) =>
  ask.ok<BatchSemanticEmbedResponse>(BATCH, { prompts: PROMPTS, representation: 'symmetric', ...body });
const single = (ask: Ask, prompt: unknown, body: object = {}) =>
  ask.ok<SemanticEmbedResponse>('/semantic_embed', { prompt, representation: 'symmetric', ...body });
const refused = (ask: Ask, body: object) =>
  ask.refused(400, BATCH, { prompts: PROMPTS, representation: 'symmetric', ...body });

/** `POST /batch_semantic_embed` and `POST /semantic_embed`. */
export const SEMANTIC_EMBED_ROWS: readonly Row[] = [
  row('facts §1.4', 'the batch answer has its three keys in order', async (ask) => {
    assert.deepEqual(Object.keys(await batch(ask)), ['model_version', 'embeddings', 'num_tokens_prompt_total']);
  }),
  row('facts §1.4', 'the single answer has its three keys in order', async (ask) => {
    const keys = Object.keys(await single(ask, 'hello'));
    assert.deepEqual(keys, ['model_version', 'embedding', 'num_tokens_prompt_total']);
  }),
  row('interface, Limits', 'a full embedding has 5120 dimensions', async (ask) => {
    for (const embedding of (await batch(ask)).embeddings) assert.equal(embedding.length, 5120);
  }),
  row('interface, Limits', 'a compressed embedding has 128 dimensions', async (ask) => {
    for (const embedding of (await batch(ask, { compress_to_size: 128 })).embeddings)
      assert.equal(embedding.length, 128);
  }),
  row('interface, POST /batch_semantic_embed', 'no other size may be asked for', async (ask) => {
    for (const size of [64, 256, 5120, '128'])
      assert.match((await refused(ask, { compress_to_size: size })).error, /^compress_to_size: expected/);
  }),
  row(
    'interface, POST /batch_semantic_embed',
    'the three representations are there, and those for search differ from the symmetric one',
    async (ask) => {
      const [symmetric, document, query] = await Promise.all(
        ['symmetric', 'document', 'query'].map(
          async (representation) => (await batch(ask, { representation })).embeddings,
        ),
      );
      assert.notDeepEqual(document, symmetric);
      assert.notDeepEqual(query, symmetric);
    },
  ),
  row('interface, POST /batch_semantic_embed', 'a representation is needed, and no other may be', async (ask) => {
    for (const representation of [undefined, null, 'asymmetric'])
      assert.match((await refused(ask, { representation })).error, /^representation: expected one of/);
  }),
  row('facts §1.4', 'the model may be left out', async (ask) => {
    assert.match((await batch(ask)).model_version, /embed/);
    await batch(ask, { model: null });
  }),
  row('facts §1.4', 'the order of prompts is kept', async (ask) => {
    const [forwards, backwards] = [await batch(ask), await batch(ask, { prompts: PROMPTS.toReversed() })];
    backwards.embeddings.toReversed().forEach((embedding, i) => assertClose(embedding, forwards.embeddings[i] ?? []));
  }),
  row('facts §1.4', 'a batch computes what single calls do', async (ask) => {
    const { embeddings } = await batch(ask);
    for (const [i, prompt] of PROMPTS.entries())
      assertClose(embeddings[i] ?? [], (await single(ask, prompt)).embedding);
  }),
  row('facts §1.4', 'tokens are counted over all prompts, without what the model puts in front', async (ask) => {
    const counts = await Promise.all(
      PROMPTS.map(async (prompt) => (await single(ask, prompt)).num_tokens_prompt_total),
    );
    assert.equal(
      (await batch(ask)).num_tokens_prompt_total,
      counts.reduce((sum, count) => sum + count, 0),
    );
    const query = await single(ask, 'hello', { representation: 'query' });
    assert.equal(query.num_tokens_prompt_total, (await single(ask, 'hello')).num_tokens_prompt_total);
    const ids = await single(ask, [{ type: 'token_ids', data: [300, 301] }]);
    assert.equal(ids.num_tokens_prompt_total, 2);
  }),
  row('facts §1.4', 'a prompt may be a string or items', async (ask) => {
    const prompts = [[{ type: 'text', data: 'hello' }], 'hello'];
    const [items = [], text = []] = (await batch(ask, { prompts })).embeddings;
    assertClose(items, text);
  }),
  row('facts §1.4', '100 prompts are answered', async (ask) => {
    const prompts = Array.from({ length: 100 }, (_, i) => `prompt number ${i}`);
    assert.equal((await batch(ask, { prompts, compress_to_size: 128 })).embeddings.length, 100);
  }),
  row('facts §1.4', 'more than 100 prompts are refused', async (ask) => {
    const { error } = await refused(ask, { prompts: new Array(101).fill('a') });
    assert.match(error, /^prompts: expected at most 100 items/);
  }),
  row('facts §1.4', 'no prompts have no embeddings', async (ask) => {
    const { embeddings, num_tokens_prompt_total: count } = await batch(ask, { prompts: [] });
    assert.deepEqual([embeddings, count], [[], 0]);
  }),
  row('interface, Shared request elements', 'normalize gives vectors of length 1, compressed ones too', async (ask) => {
    for (const compress_to_size of [null, 128])
      for (const vector of (await batch(ask, { normalize: true, compress_to_size })).embeddings)
        assertClose([Math.hypot(...vector)], [1], 1e-4);
  }),
  row('interface, POST /batch_semantic_embed', 'the first 128 dimensions are the compressed embedding', async (ask) => {
    const [full, small] = [await batch(ask), await batch(ask, { compress_to_size: 128 })];
    full.embeddings.forEach((vector, i) => assertClose(vector.slice(0, 128), small.embeddings[i] ?? []));
  }),
  row('interface, POST /batch_semantic_embed', 'a control changes its embedding and no other', async (ask) => {
    const [data = '', other = ''] = PROMPTS;
    const controls = [{ start: 2, length: 3, factor: 0 }];
    const { embeddings } = await batch(ask, { prompts: [[{ type: 'text', data, controls }], other] });
    const plain = (await batch(ask, { prompts: [data, other] })).embeddings;
    assert.notDeepEqual(embeddings[0], plain[0]);
    assertClose(embeddings[1] ?? [], plain[1] ?? []);
  }),
  row('interface, POST /batch_semantic_embed', 'a model for something else is refused', async (ask) => {
    assert.equal((await refused(ask, { model: 'lightwell-base' })).code, 'MISSING_CAPABILITY');
  }),
  row('interface, POST /batch_semantic_embed', 'the field is prompts, not prompt', async (ask) => {
    assert.match((await refused(ask, { prompts: undefined, prompt: 'a' })).error, /^prompts: expected/);
  }),
  row('facts §1.8', 'a fault is named with its place among the prompts', async (ask) => {
    const prompts = ['a', [{ type: 'text', data: 'b', controls: [{ start: 0, length: 9, factor: 1 }] }]];
    assert.match((await refused(ask, { prompts })).error, /^prompts\[1\]\[0\]\.controls\[0\]/);
  }),
];
