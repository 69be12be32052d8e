import assert from 'node:assert/strict';
import type { EmbeddingsResponse } from '../../../src/contract/openai.ts';
import type { SemanticEmbedResponse } from '../../../src/contract/embed.ts';
import type { EvaluateResponse } from '../../../src/contract/likelihood.ts';
import { row, type Row } from './row.ts';

const CLIENT = "the hosted service's public client, version 11.5.1";
const model = 'lightwell-base';
const embedder = 'lightwell-embed';
const TEXT = 'An apple a day';

interface Tokenized {
  readonly tokens?: readonly string[];
  readonly token_ids?: readonly number[];
}
interface Reranked {
  readonly results: readonly { readonly index: number; readonly relevance_score: number }[];
  readonly usage: { readonly total_tokens: number };
}

/** Operations that the interface does not describe, as the service's client sends and reads them. */
export const HOSTED_ROWS: readonly Row[] = [
  row(CLIENT, 'a text is split into the tokens that /embed counts, and they are its text again', async (ask) => {
    const body = { model, prompt: TEXT, tokens: true, token_ids: true };
    const { tokens = [], token_ids: ids = [] } = await ask.ok<Tokenized>('/tokenize', body);
    assert.equal(tokens.length, ids.length);
    const embed = { model, prompt: TEXT, layers: [0], pooling: ['mean'] };
    const { num_tokens_prompt_total: counted } = await ask.ok<{ num_tokens_prompt_total: number }>('/embed', embed);
    assert.equal(ids.length, counted);
    const { result } = await ask.ok<{ result: string }>('/detokenize', { model, token_ids: ids });
    assert.equal(result, TEXT);
  }),
  row(CLIENT, 'tokens and ids come where they are wanted', async (ask) => {
    const body = { model, prompt: TEXT, tokens: false, token_ids: true };
    assert.deepEqual(Object.keys(await ask.ok<Tokenized>('/tokenize', body)), ['token_ids']);
    assert.deepEqual(await ask.ok<Tokenized>('/tokenize', { model, prompt: '', tokens: true, token_ids: false }), {
      tokens: [],
    });
  }),
  row(CLIENT, 'any model splits texts, and an unknown id is refused', async (ask) => {
    await ask.ok('/tokenize', { model: embedder, prompt: TEXT });
    const { error, code } = await ask.refused(400, '/detokenize', { model, token_ids: [1, 10_000_000] });
    assert.equal(code, 'INVALID_REQUEST');
    assert.match(error, /^token_ids\[1\]: expected a token id below/);
  }),
  row(CLIENT, 'documents come by their relevance, at most top_n of them', async (ask) => {
    const documents = ['Horses and cows are animals.', 'The capital of France is Paris.', 'It rains.'];
    const body = { model: embedder, query: 'What is the capital of France?', documents };
    const { results, usage } = await ask.ok<Reranked>('/rerank', body);
    const scores = results.map(({ relevance_score: score }) => score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    assert.deepEqual(results.map(({ index }) => index).toSorted(), [0, 1, 2]);
    assert.ok(usage.total_tokens > 3);
    const first = await ask.ok<Reranked>('/rerank', { ...body, top_n: 1 });
    assert.deepEqual(first.results, results.slice(0, 1));
  }),
  row(CLIENT, 'an instruction changes a vector, and none leaves it', async (ask) => {
    const embed = async (instruction: string) => {
      const body = { model: embedder, input: TEXT, instruction, normalize: true };
      return ask.ok<SemanticEmbedResponse>('/instructable_embed', body);
    };
    const plain = await embed('');
    const { embedding, num_tokens_prompt_total: tokens } = await embed('Sort by fruit.');
    assert.equal(embedding.length, plain.embedding.length);
    assert.notDeepEqual(embedding, plain.embedding);
    assert.equal(tokens, plain.num_tokens_prompt_total);
  }),
  row(CLIENT, 'embeddings are those of OpenAI’s route', async (ask) => {
    const body = { model: embedder, input: [TEXT], dimensions: 20 };
    assert.deepEqual(
      (await ask.ok<EmbeddingsResponse>('/embeddings', body)).data,
      (await ask.ok<EmbeddingsResponse>('/v1/embeddings', body)).data,
    );
  }),
  row(CLIENT, 'an evaluation counts the tokens of its prompt', async (ask) => {
    const body = { model, prompt: TEXT, completion_expected: ' keeps' };
    const { num_tokens_prompt_total: counted } = await ask.ok<EvaluateResponse>('/evaluate', body);
    const { token_ids: ids = [] } = await ask.ok<Tokenized>('/tokenize', { model, prompt: TEXT });
    assert.equal(counted, ids.length);
  }),
  row(CLIENT, 'a picture in a message comes with it, and is not fetched', async (ask) => {
    const chat = (url: string) => {
      const content = [
        { type: 'text', text: TEXT },
        { type: 'image_url', image_url: { url } },
      ];
      return ask.refused(400, '/chat/completions', { model, messages: [{ role: 'user', content }] });
    };
    const { error } = await chat('http://localhost/picture.png');
    assert.match(error, /^messages\[0\]\.content\[1\]\.image_url\.url: expected a picture as data:/);
    const broken = await chat('data:image/png;base64,AAAA');
    assert.match(broken.error, /^messages\[0\]\.content\[1\]\.image_url\.url: expected a PNG, JPEG or WebP file/);
  }),
  row(CLIENT, 'the tokenizer is the file of the folder', async (ask) => {
    const { status, text } = await ask.raw(`/models/${model}/tokenizer`);
    assert.equal(status, 200);
    const { token_ids: ids = [] } = await ask.ok<Tokenized>('/tokenize', { model, prompt: 'a', token_ids: true });
    const { vocab } = (JSON.parse(text) as { model: { vocab: Record<string, number> } }).model;
    assert.deepEqual(ids, [vocab['a']]);
  }),
  row(CLIENT, 'what no model here can do is refused in words', async (ask) => {
    const { error, code } = await ask.refused(404, '/translate', { model, source: 'Hello', target_language: 'de' });
    assert.equal(code, 'NOT_FOUND');
    assert.match(error, /^\/translate: .*needs a model for translation/);
    await ask.refused(404, '/models/no-such-model/tokenizer');
  }),
];
