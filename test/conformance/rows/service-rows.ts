import assert from 'node:assert/strict';
import { row, type Row } from './row.ts';

const embed = { model: 'lightwell-base', prompt: 'Rome', layers: [0], pooling: ['mean'] };
const withoutToken = { headers: { authorization: null } };

const namesIn = (text: string) => text.split(' ');

/** The nine fields of a model in `GET /model-settings` of 1.19, in the documented order. */
export const SETTINGS_FIELDS = namesIn(
  'name description max_context_size aligned semantic_embedding advanced_sampling multimodal chat prompt_template',
);

const AVAILABLE_FIELDS = [
  'name',
  'description',
  'max_context_size',
  'hostings',
  'image_support',
  'qa_support',
  'summarization_support',
  'embedding_types',
  'maximum_completion_tokens',
  'aligned',
];

/** The representations of a model for semantic embeddings. */
export const EMBEDDING_TYPES = namesIn(
  'symmetric symmetric_128 asymmetric_document asymmetric_128_document asymmetric_query asymmetric_128_query',
);

/** Authentication, methods, shared fields, listings. */
export const SERVICE_ROWS: readonly Row[] = [
  row('interface, Authentication', 'a request without a token is refused', async (ask) => {
    assert.equal((await ask.refused(401, '/embed', embed, withoutToken)).code, 'UNAUTHORIZED');
  }),
  row('interface, Authentication', 'a wrong token is refused', async (ask) => {
    await ask.refused(401, '/embed', embed, { headers: { authorization: 'Bearer wrong' } });
  }),
  row('RFC 9110 §11.6.1', 'every 401 says how to show who one is', async (ask) => {
    for (const authorization of [null, 'Bearer wrong', `Bearer ${'f'.repeat(64)}`]) {
      const { status, headers } = await ask.raw('/embed', embed, { headers: { authorization } });
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer realm="Lightwell"']);
    }
  }),
  row('interface, Authentication', 'a scheme other than Bearer is refused', async (ask) => {
    await ask.refused(401, '/embed', embed, { headers: { authorization: 'Basic dXNlcjpwYXNz' } });
  }),
  row('facts §1.1', 'Accept is not enforced', async (ask) => {
    for (const accept of ['*/*', 'text/html', null]) {
      const { status, headers } = await ask.raw('/embed', embed, { headers: { accept } });
      assert.deepEqual([status, headers['content-type']?.split(';')[0]], [200, 'application/json']);
    }
  }),
  row('facts §1.1', 'a body needs no content type', async (ask) => {
    await ask.ok('/embed', embed, { headers: { 'content-type': 'text/plain' } });
  }),
  row('facts §1.8', 'an unknown path is refused as JSON', async (ask) => {
    assert.equal((await ask.refused(404, '/nowhere', {})).code, 'NOT_FOUND');
  }),
  row('interface, Endpoints', 'another method is refused, and the right one named', async (ask) => {
    const { status, headers } = await ask.raw('/embed', undefined, { method: 'DELETE' });
    assert.deepEqual([status, headers['allow']], [405, 'POST']);
  }),
  row('facts §1.1', 'the version is plain text', async (ask) => {
    const { status, headers, text } = await ask.raw('/version');
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/plain/);
    assert.match(text, /^\d+\.\d+\.\d+$/);
  }),
  row('design §3', 'the description names every operation, and needs no token', async (ask) => {
    const { paths } = await ask.ok<{ paths: object }>('/openapi.json', undefined, withoutToken);
    const expected = ['/embed', '/semantic_embed', '/batch_semantic_embed', '/explain', '/qa', '/model-settings'];
    for (const path of [...expected, '/models_available', '/version']) assert.ok(path in paths, path);
  }),
  row('facts §1.7', 'model settings begin with the nine fields of 1.19', async (ask) => {
    const models = await ask.ok<object[]>('/model-settings');
    assert.ok(models.length > 0);
    for (const model of models) assert.deepEqual(Object.keys(model).slice(0, SETTINGS_FIELDS.length), SETTINGS_FIELDS);
  }),
  row('interface, POST /batch_semantic_embed', 'some model is flagged for semantic embeddings', async (ask) => {
    const models = await ask.ok<{ semantic_embedding: boolean }[]>('/model-settings');
    assert.ok(models.some(({ semantic_embedding: can }) => can));
  }),
  row('facts §1.7', 'available models have the fields that older clients read', async (ask) => {
    const models = await ask.ok<{ embedding_types: string[] }[]>('/models_available');
    for (const model of models) assert.deepEqual(Object.keys(model), AVAILABLE_FIELDS);
    assert.ok(models.some(({ embedding_types: types }) => types.join() === EMBEDDING_TYPES.join()));
  }),
  row('interface, Versioning', 'the answer names the model and its version', async (ask) => {
    assert.match((await ask.ok<{ model_version: string }>('/embed', embed)).model_version, /^lightwell-base/);
  }),
  row('interface, Shared request elements', 'nice may be true, false or left out', async (ask) => {
    for (const query of ['', '?nice=true', '?nice=false']) await ask.ok(`/embed${query}`, embed);
  }),
  row('interface, Shared request elements', 'nice is a boolean', async (ask) => {
    assert.match((await ask.refused(400, '/embed?nice=banana', embed)).error, /^nice: expected true or false/);
  }),
  row('interface, Shared request elements', 'hosting may be null, "operator" or left out', async (ask) => {
    for (const hosting of [undefined, null, 'operator']) await ask.ok('/embed', { ...embed, hosting });
  }),
  row('interface, Shared request elements', 'another hosting is refused', async (ask) => {
    assert.match(
      (await ask.refused(400, '/embed', { ...embed, hosting: 'elsewhere' })).error,
      /^hosting: expected null/,
    );
  }),
  row('facts §1.1', 'unknown fields are ignored', async (ask) => {
    await ask.ok('/embed', { ...embed, tags: ['internal'], something: { else: 1 } });
  }),
  row('facts §1.1', 'null where a boolean stands is refused with its place', async (ask) => {
    const { error, code } = await ask.refused(400, '/embed', { ...embed, normalize: null });
    assert.equal(code, 'PAYLOAD_ERROR');
    assert.match(error, /^normalize: expected a boolean/);
  }),
  row('facts §1.8', 'an unknown model is refused with its own code', async (ask) => {
    assert.equal((await ask.refused(404, '/embed', { ...embed, model: 'no-such-model' })).code, 'UNKNOWN_MODEL');
  }),
  row('facts §1.8', 'a model without the capability is refused with its own code', async (ask) => {
    const body = { model: 'lightwell-embed', prompt: 'Rome', target: ' is' };
    assert.equal((await ask.refused(400, '/explain', body)).code, 'MISSING_CAPABILITY');
  }),
];
