import assert from 'node:assert/strict';
import { row, type Row } from './row.ts';

const model = 'lightwell-base';
const embed = { model, prompt: 'Rome', layers: [0], pooling: ['mean'] };
const complete = { model, prompt: 'Rome', maximum_tokens: 1 };
const chat = { model, messages: [{ role: 'user', content: 'Rome' }] };
const semantic = { prompt: 'Rome', representation: 'symmetric' };
const qa = { query: 'Who?', documents: [{ text: 'Ada.' }] };

/** Fields that other services answer to, with a value that changes their answer. */
const WRITING = {
  tools: [{ type: 'function', function: { name: 'f' } }],
  tool_choice: 'none',
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  user: 'somebody',
  store: true,
};

/** What OpenAI names otherwise than `/complete`. */
const OPENAI = {
  logprobs: 3,
  top_logprobs: 3,
  stop: ['.'],
  max_tokens: 5,
  max_completion_tokens: 5,
};

const NOT_SERVED: readonly (readonly [path: string, body: object, fields: object])[] = [
  ['/complete', complete, { ...WRITING, ...OPENAI, suffix: '.', stream_options: { include_usage: true } }],
  ['/chat/completions', chat, { ...WRITING, minimum_tokens: 2, best_of: 2, log_probs: 1, stop_sequences: ['.'] }],
  ['/embed', embed, { dimensions: 64, encoding_format: 'base64', instruction: 'Sort.' }],
  ['/semantic_embed', semantic, { dimensions: 64, encoding_format: 'base64', instruction: 'Sort.' }],
  ['/qa', qa, { min_score: 0.5, maximum_tokens: 5, max_chunk_size: 10 }],
];

/** Fields that are defined elsewhere and not served here, and how values are repeated. */
export const NOT_SERVED_ROWS: readonly Row[] = [
  row(
    'clients',
    'a field of the service or of OpenAI that is not served is refused by its name, and may be null',
    async (ask) => {
      for (const [path, body, fields] of NOT_SERVED) {
        const nulls = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
        const { text } = await ask.raw(path, { ...body, ...nulls });
        assert.ok(!text.includes('PAYLOAD_ERROR'), text);
        for (const [field, value] of Object.entries(fields)) {
          const { error, code } = await ask.refused(400, path, { ...body, [field]: value });
          assert.equal(code, 'PAYLOAD_ERROR');
          assert.match(
            error,
            new RegExp(`^${field}: expected null, because this operation does not serve this field, got `),
          );
        }
      }
    },
  ),
  row('clients', 'a dialogue with calls of functions is refused by the place of the calls', async (ask) => {
    const messages = [{ role: 'assistant', content: '', tool_calls: [{ id: '1' }] }];
    const { error } = await ask.refused(400, '/chat/completions', { model: 'lightwell-base', messages });
    assert.match(error, /^messages\[0\]\.tool_calls: expected null/);
  }),
  row('interface, POST /embed', 'the type default and none are the only ones', async (ask) => {
    for (const type of ['default', null]) await ask.ok('/embed', { ...embed, type });
    assert.match(
      (await ask.refused(400, '/embed', { ...embed, type: 'symmetric' })).error,
      /^type: expected "default"/,
    );
  }),
  row('facts §1.8', 'a message repeats the beginning of a value, however long', async (ask) => {
    for (const field of ['model', 'hosting']) {
      const { error } = await ask
        .raw('/embed', { ...embed, [field]: 'x'.repeat(100_000) })
        .then(({ text }) => JSON.parse(text));
      assert.ok(error.startsWith(`${field}: expected`) && error.length < 500, `${error.length} characters`);
    }
  }),
];
