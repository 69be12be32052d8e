import assert from 'node:assert/strict';
import type { CompletionsResponse, EmbeddingsResponse, OpenAiModel } from '../../../src/contract/openai.ts';
import type { CompleteResponse } from '../../../src/contract/complete.ts';
import type { SemanticEmbedResponse } from '../../../src/contract/embed.ts';
import type { EvaluateResponse } from '../../../src/contract/likelihood.ts';
import type { Ask, AskOptions } from '../transport/ask.ts';
import { assertClose } from '../transport/close.ts';
import { row, type Row } from './row.ts';

const REFERENCE = 'OpenAI API reference';
const model = 'lightwell-base';
const prompt = 'I am a programmer and French. My favourite food is';

/** The error of a refusal in OpenAI's form. */
async function refusal(ask: Ask, status: number, path: string, body?: unknown, options?: AskOptions) {
  const received = await ask.raw(path, body, options);
  assert.equal(received.status, status, received.text);
  const { error } = JSON.parse(received.text) as { readonly error: Readonly<Record<string, unknown>> };
  return [error['type'], error['code'], error['param']];
}

/** OpenAI's routes: what they share with the operations of the contract, and how they fail. */
export const OPENAI_ROWS: readonly Row[] = [
  row(REFERENCE, 'a completion says what /complete says', async (ask) => {
    const body = { model, prompt, max_tokens: 5, temperature: 0 };
    const { choices, usage } = await ask.ok<CompletionsResponse>('/v1/completions', body);
    const same = await ask.ok<CompleteResponse>('/complete', { model, prompt, maximum_tokens: 5 });
    assert.equal(choices[0]?.text, same.completions[0]?.completion);
    assert.equal(usage.prompt_tokens, same.num_tokens_prompt_total);
    assert.equal(usage.completion_tokens, same.num_tokens_generated);
  }),
  row(REFERENCE, 'log-probabilities of an echo sum to those of /evaluate', async (ask) => {
    const target = ' pizza with cheese';
    const body = { model, prompt: prompt + target, max_tokens: 0, echo: true, logprobs: 1 };
    const { choices } = await ask.ok<CompletionsResponse>('/v1/completions', body);
    const { tokens = [], token_logprobs: ratings = [], text_offset: offsets = [] } = choices[0]?.logprobs ?? {};
    assert.equal(choices[0]?.text, prompt + target);
    assert.equal(ratings[0], null);
    const { result } = await ask.ok<EvaluateResponse>('/evaluate', { model, prompt, completion_expected: target });
    const first = offsets.findIndex((offset) => offset >= prompt.length);
    if (tokens.slice(first).length !== result.token_count) return; // the target is cut otherwise than alone
    assertClose([ratings.slice(first).reduce<number>((sum, each) => sum + (each ?? NaN), 0)], [result.log_probability]);
  }),
  row(REFERENCE, 'text_offset counts code points, whatever number of tokens a character has', async (ask) => {
    const body = { model, prompt: 'I pay 5 € 🙂 for', max_tokens: 4, echo: true, logprobs: 0, temperature: 0 };
    const { choices } = await ask.ok<CompletionsResponse>('/v1/completions', body);
    const characters = [...(choices[0]?.text ?? '')];
    const { tokens = [], text_offset: offsets = [] } = choices[0]?.logprobs ?? {};
    assert.ok(tokens.some((token) => token.includes('\uFFFD')));
    for (const [i, token] of tokens.entries())
      if (!token.includes('\uFFFD')) assert.ok(characters.slice(offsets[i]).join('').startsWith(token), token);
    const { text } = await ask.raw('/v1/completions', { ...body, stream: true });
    const streamed = [...text.matchAll(/"text_offset":\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
      list === '' ? [] : list.split(',').map(Number),
    );
    assert.deepEqual(streamed, offsets);
  }),
  row('vLLM', 'log-probabilities of a prompt are by token id, and the token itself is among them', async (ask) => {
    const body = { model, prompt: [300, 12, 45], max_tokens: 0, prompt_logprobs: 2 };
    const { choices } = await ask.ok<CompletionsResponse>('/v1/completions', body);
    const [first, second, third] = choices[0]?.prompt_logprobs ?? [];
    assert.equal(first, null);
    for (const [id, rated] of [
      ['12', second],
      ['45', third],
    ] as const) {
      assert.ok(rated && id in rated, JSON.stringify(rated));
      const likeliest = Object.values(rated).find(({ rank }) => rank === 1);
      assert.equal(likeliest?.logprob, Math.max(...Object.values(rated).map(({ logprob }) => logprob)));
    }
  }),
  row(REFERENCE, 'events end with [DONE]', async (ask) => {
    const body = { model, prompt, max_tokens: 2, stream: true };
    const { status, text, headers } = await ask.raw('/v1/completions', body);
    assert.deepEqual([status, headers['content-type']], [200, 'text/event-stream']);
    assert.ok(text.endsWith('data: [DONE]\n\n'), text);
  }),
  row(REFERENCE, 'an embedding is the symmetric one, of length 1', async (ask) => {
    const body = { model: 'lightwell-embed', input: 'A cat sits on the mat.', encoding_format: 'float' };
    const { data } = await ask.ok<EmbeddingsResponse>('/v1/embeddings', body);
    const same = { prompt: body.input, representation: 'symmetric', normalize: true };
    const { embedding } = await ask.ok<SemanticEmbedResponse>('/semantic_embed', same);
    assert.deepEqual(data[0]?.embedding, embedding);
    const packed = await ask.ok<EmbeddingsResponse>('/v1/embeddings', { ...body, encoding_format: 'base64' });
    const bytes = Buffer.from(String(packed.data[0]?.embedding), 'base64');
    assert.deepEqual(
      Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i)),
      embedding.map(Math.fround),
    );
  }),
  row('own', 'an explanation is that of /explain', async (ask) => {
    const body = { model, prompt, target: ' pizza', prompt_granularity: { type: 'word' } };
    assert.deepEqual(await ask.ok('/v1/explanations', body), await ask.ok('/explain', body));
  }),
  row(REFERENCE, 'the models are listed, and each is found', async (ask) => {
    const { data } = await ask.ok<{ data: readonly OpenAiModel[] }>('/v1/models');
    assert.ok(data.some(({ id }) => id === model));
    assert.deepEqual(
      await ask.ok(`/v1/models/${model}`),
      data.find(({ id }) => id === model),
    );
    assert.deepEqual(await refusal(ask, 404, '/v1/models/nothing'), [
      'invalid_request_error',
      'model_not_found',
      'model',
    ]);
  }),
  row(REFERENCE, 'failures are in the form of OpenAI', async (ask) => {
    const wrong = { headers: { authorization: 'Bearer wrong' } };
    const body = { model, prompt };
    const [type] = ['invalid_request_error'];
    assert.deepEqual(await refusal(ask, 401, '/v1/completions', body, wrong), [type, 'invalid_api_key', null]);
    assert.deepEqual(await refusal(ask, 404, '/v1/nowhere', body), [type, 'not_found', null]);
    assert.deepEqual(await refusal(ask, 405, '/v1/completions'), [type, 'method_not_allowed', null]);
    assert.deepEqual(await refusal(ask, 400, '/v1/completions', '{'), [type, 'payload_error', null]);
    const unknown = { ...body, model: 'gpt-x' };
    assert.deepEqual(await refusal(ask, 404, '/v1/completions', unknown), [type, 'model_not_found', 'model']);
    const long = { ...body, prompt: 'apple '.repeat(3000) };
    assert.deepEqual((await refusal(ask, 400, '/v1/completions', long)).slice(0, 2), [type, 'context_length_exceeded']);
  }),
  row(REFERENCE, 'a field of OpenAI that is not served is refused by its name, and may be null', async (ask) => {
    for (const field of ['suffix', 'user', 'metadata', 'store', 'tools']) {
      await ask.ok('/v1/completions', { model, prompt, max_tokens: 1, [field]: null });
      const refused = await refusal(ask, 400, '/v1/completions', { model, prompt, [field]: 'x' });
      assert.deepEqual(refused, ['invalid_request_error', 'payload_error', field]);
    }
  }),
];
