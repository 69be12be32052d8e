import assert from 'node:assert/strict';
import type { CompleteResponse } from '../../../src/contract/complete.ts';
import type { CompletionsResponse } from '../../../src/contract/openai.ts';
import type { Ask } from '../transport/ask.ts';
import { row, type Row } from './row.ts';

const REFERENCE = 'OpenAI API reference, response_format';
const CLIENT = "the hosted service's public client, JSONSchema.to_json";
const SERVICE = "the hosted service's API reference 4.2.0, JSON Completion";

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 8 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    colour: { enum: ['red', 'green'] },
  },
  required: ['name', 'age', 'colour'],
  additionalProperties: false,
};

const body = { model: 'lightwell-base', prompt: 'Who is Ada? In JSON: ', max_tokens: 60 };
const formatOf = (schema: unknown) => ({ type: 'json_schema', json_schema: { name: 'person', schema, strict: true } });

const answered = (ask: Ask, more: object) =>
  ask.ok<CompletionsResponse>('/v1/completions', { ...body, response_format: formatOf(PERSON), ...more });

function assertPerson(text = ''): void {
  const person = JSON.parse(text) as Readonly<Record<string, unknown>>;
  assert.deepEqual(Object.keys(person), ['name', 'age', 'colour'], text);
  const { name, age, colour } = person;
  assert.ok(typeof name === 'string' && [...name].length >= 1 && [...name].length <= 8, text);
  assert.ok(Number.isInteger(age) && Number(age) >= 0 && Number(age) <= 120, text);
  assert.ok(colour === 'red' || colour === 'green', text);
}

/** `response_format` of dialogues. */
export const JSON_ROWS: readonly Row[] = [
  row(REFERENCE, 'an answer meets its schema, however it is sampled', async (ask) => {
    const prompts = [body.prompt, 'Who is Grace? In JSON: '];
    const sampled = { temperature: 2, seed: 1, n: 2, top_p: 0.9, presence_penalty: 1, prompt: prompts };
    for (const more of [{ temperature: 0 }, sampled]) {
      const { choices } = await answered(ask, more);
      assert.equal(choices.length, more === sampled ? 4 : 1);
      for (const { text, finish_reason: reason } of choices) {
        assertPerson(text);
        assert.equal(reason, 'stop');
      }
    }
  }),
  row(REFERENCE, 'a stream has the same text', async (ask) => {
    const settings = { temperature: 1, seed: 7 };
    const whole = await answered(ask, settings);
    const sent = { ...body, ...settings, response_format: formatOf(PERSON), stream: true };
    const { text } = await ask.raw('/v1/completions', sent);
    const events = text.split('\n\n').filter((event) => event.startsWith('data: {'));
    const pieces = events.map((event) => JSON.parse(event.slice(6)).choices[0]?.text ?? '');
    assert.equal(pieces.join(''), whole.choices[0]?.text);
  }),
  row(REFERENCE, 'an answer that is cut ends with length', async (ask) => {
    const { choices } = await answered(ask, { max_tokens: 3 });
    assert.equal(choices[0]?.finish_reason, 'length');
    assert.throws(() => JSON.parse(choices[0]?.text ?? ''));
  }),
  row(REFERENCE, 'json_object answers with an object', async (ask) => {
    const sent = { response_format: { type: 'json_object' }, temperature: 0, max_tokens: 200 };
    const { choices } = await answered(ask, sent);
    const { text = '', finish_reason: reason } = choices[0] ?? {};
    assert.ok(text.startsWith('{'), text);
    if (reason === 'stop') assert.equal(typeof JSON.parse(text), 'object');
  }),
  row(REFERENCE, 'log-probabilities are those of the model, with the tokens that the schema excludes', async (ask) => {
    const free = await answered(ask, { response_format: null, logprobs: 20, temperature: 0 });
    const { choices } = await answered(ask, { logprobs: 20, temperature: 0 });
    const { tokens = [], top_logprobs: rated = [], token_logprobs: own = [] } = choices[0]?.logprobs ?? {};
    assert.equal(tokens[0]?.startsWith('{'), true, tokens[0]);
    assert.deepEqual({ ...free.choices[0]?.logprobs?.top_logprobs[0], [tokens[0] ?? '']: own[0] }, rated[0]);
  }),
  row(CLIENT, 'a schema without a description is taken, and the service has the same field', async (ask) => {
    const format = { type: 'json_schema', json_schema: { ...formatOf(PERSON).json_schema, description: null } };
    const sent = { model: body.model, prompt: body.prompt, maximum_tokens: 60, response_format: format };
    const { completions } = await ask.ok<CompleteResponse>('/complete', sent);
    assertPerson(completions[0]?.completion);
    assert.equal(completions[0]?.finish_reason, 'end_of_text');
  }),
  row(SERVICE, '/complete/json writes an object without being asked for one, streamed or not', async (ask) => {
    const sent = { model: body.model, prompt: body.prompt, maximum_tokens: 200 };
    const { completions } = await ask.ok<CompleteResponse>('/complete/json', sent);
    const [{ completion, finish_reason: reason } = assert.fail('no completion')] = completions;
    assert.match(completion, /^\s*\{/);
    if (reason === 'end_of_text') assert.equal(typeof JSON.parse(completion), 'object');
    const { text } = await ask.raw('/complete/json', { ...sent, stream: true });
    const events = text.split('\n\n').filter((event) => event.startsWith('data: {'));
    assert.equal(events.map((event) => JSON.parse(event.slice(6)).completion ?? '').join(''), completion);
  }),
  row(SERVICE, '/complete/json takes a schema, and refuses a format that is not JSON', async (ask) => {
    const sent = { model: body.model, prompt: body.prompt, maximum_tokens: 60 };
    const { completions } = await ask.ok<CompleteResponse>('/complete/json', {
      ...sent,
      response_format: formatOf(PERSON),
    });
    assertPerson(completions[0]?.completion);
    const { error } = await ask.refused(400, '/complete/json', { ...sent, response_format: { type: 'text' } });
    assert.match(error, /^response_format\.type: /);
  }),
  row(REFERENCE, 'a keyword that is not served is refused with its place', async (ask) => {
    const place = 'response_format.json_schema.schema.properties.age.multipleOf';
    const schema = { type: 'object', properties: { age: { type: 'integer', multipleOf: 5 } } };
    const sent = { model: body.model, prompt: body.prompt, response_format: formatOf(schema) };
    const { error } = await ask.refused(400, '/complete', sent);
    assert.equal(error, `${place}: expected no such keyword, because it is not served, got 5`);
    const { status, text } = await ask.raw('/v1/completions', sent);
    assert.equal(status, 400);
    assert.equal(JSON.parse(text).error.param, place);
  }),
  row('clients', 'a format without a name, or of another type, is refused', async (ask) => {
    for (const format of [
      { type: 'xml' },
      { type: 'json_schema' },
      { type: 'json_schema', json_schema: { schema: {} } },
    ]) {
      const { error } = await ask.refused(400, '/complete', {
        model: body.model,
        prompt: body.prompt,
        response_format: format,
      });
      assert.match(error, /^response_format\./);
    }
  }),
];
