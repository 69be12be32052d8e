import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATUS } from '../../src/contract/failure.ts';
import { ModelSettingsResponse, ModelsAvailableResponse } from '../../src/contract/models.ts';
import { createPage, TOKEN } from '../support/fakes/page.ts';
import { CALIBRATION } from '../support/silent-client.ts';
import { EMBEDDING_TYPES, SETTINGS_FIELDS } from './rows/service-rows.ts';

const get = (path: string, method = 'GET', headers: HeadersInit = { Authorization: `Bearer ${TOKEN}` }) =>
  createPage().router.fetch(new Request(`http://localhost${path}`, { method, headers }));

describe('GET /model-settings', () => {
  it('lists the models with the nine fields of 1.19, in the documented order, and four of our own', async () => {
    const body: object[] = await (await get('/model-settings')).json();
    ModelSettingsResponse.parse(body);
    for (const model of body) {
      expect(Object.keys(model)).toEqual([...SETTINGS_FIELDS, 'qa', 'tier', 'reason', 'control_factor']);
      expect(model).toMatchObject({ tier: 'steered', reason: null, control_factor: null });
    }
  });

  it('says with which factor a calibrated model is explained', async () => {
    const modelNames = { 'luminous-base': 'lightwell-base' };
    const { router } = createPage({ settings: { modelNames, calibrations: { 'lightwell-base': CALIBRATION } } });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await router.fetch(new Request('http://localhost/model-settings', { headers }));
    const models = ModelSettingsResponse.parse(await answer.json());
    expect(models.map(({ control_factor }) => control_factor)).toEqual([0.1, null, null, 0.1]);
  });

  it('says which model is for semantic embeddings', async () => {
    const models = ModelSettingsResponse.parse(await (await get('/model-settings')).json());
    const able = models.filter((model) => model.semantic_embedding).map(({ name }) => name);
    expect(able).toEqual(['lightwell-embed']);
    const base = models.find(({ name }) => name === 'lightwell-base');
    expect(base).toMatchObject({ max_context_size: 1024, multimodal: true });
    expect(models.filter((model) => model.qa).map(({ name }) => name)).toEqual(['lightwell-reader']);
  });
});

describe('names from elsewhere', () => {
  it('are listed with what the models can do that they stand for', async () => {
    const named = { explain: 'lightwell-base', semantic_embed: 'lightwell-embed' };
    const page = createPage({ settings: { modelNames: { 'luminous-base': named } } });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const listed = async (path: string) =>
      (await page.router.fetch(new Request(`http://localhost${path}`, { headers }))).json();
    const settings = ModelSettingsResponse.parse(await listed('/model-settings'));
    expect(settings.find(({ name }) => name === 'luminous-base')).toMatchObject({
      description: 'Another name of lightwell-base (explain) and lightwell-embed (semantic_embed).',
      max_context_size: 1024,
      semantic_embedding: true,
      multimodal: true,
    });
    const available = ModelsAvailableResponse.parse(await listed('/models_available'));
    expect(available.at(-1)).toMatchObject({ name: 'luminous-base', qa_support: false });
    expect(available).toHaveLength(settings.length);
  });
});

describe('GET /models_available', () => {
  it('lists the same models as older clients read them', async () => {
    const models = ModelsAvailableResponse.parse(await (await get('/models_available')).json());
    const settings = ModelSettingsResponse.parse(await (await get('/model-settings')).json());
    expect(models.map(({ name }) => name)).toEqual(settings.map(({ name }) => name));
    expect(models.find(({ name }) => name === 'lightwell-base')).toEqual({
      name: 'lightwell-base',
      description: expect.stringContaining('Lightwell'),
      max_context_size: 1024,
      hostings: ['lightwell'],
      image_support: true,
      qa_support: false,
      summarization_support: false,
      embedding_types: ['pooling_only'],
      maximum_completion_tokens: null,
      aligned: false,
    });
  });

  it('names the six representations of a model for semantic embeddings', async () => {
    const models = ModelsAvailableResponse.parse(await (await get('/models_available')).json());
    expect(models.find(({ name }) => name === 'lightwell-embed')?.embedding_types).toEqual(EMBEDDING_TYPES);
  });
});

describe('GET /version', () => {
  it('is the version of the package, as plain text', async () => {
    const response = await get('/version');
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe(version);
  });
});

const METHODS = {
  '/embed': 'POST',
  '/semantic_embed': 'POST',
  '/batch_semantic_embed': 'POST',
  '/explain': 'POST',
  '/complete': 'POST',
  '/complete/json': 'POST',
  '/chat/completions': 'POST',
  '/embeddings': 'POST',
  '/instructable_embed': 'POST',
  '/rerank': 'POST',
  '/tokenize': 'POST',
  '/detokenize': 'POST',
  '/steering_concepts': 'POST',
  '/evaluate': 'POST',
  '/predict': 'POST',
  '/lens': 'POST',
  '/qa': 'POST',
  '/v1/completions': 'POST',
  '/v1/chat/completions': 'POST',
  '/v1/embeddings': 'POST',
  '/v1/steering_concepts': 'POST',
  '/v1/explanations': 'POST',
  '/model-settings': 'GET',
  '/models_available': 'GET',
  '/models/{model}/tokenizer': 'GET',
  '/v1/models': 'GET',
  '/v1/models/{model}': 'GET',
  '/version': 'GET',
  '/openapi.json': 'GET',
} as const;

describe('GET /openapi.json', () => {
  it('describes every operation, without a token', async () => {
    const document = await (await get('/openapi.json', 'GET', {})).json();
    expect(document.openapi).toBe('3.1.0');
    const described = Object.entries<object>(document.paths).map(([path, item]) => [path, Object.keys(item)]);
    expect(described).toEqual(Object.entries(METHODS).map(([path, method]) => [path, [method.toLowerCase()]]));
  });

  it('refers to schemas that it holds, and only to those', async () => {
    const document = await (await get('/openapi.json', 'GET', {})).json();
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, id]) => id);
    expect(references.length).toBeGreaterThan(20);
    for (const id of references) expect(document.components.schemas).toHaveProperty(id ?? '');
  });

  it('says every status that a failure can have', async () => {
    const document = await (await get('/openapi.json', 'GET', {})).json();
    const statuses = Object.keys(document.paths['/explain'].post.responses).map(Number);
    expect(statuses.toSorted()).toEqual([200, ...new Set(Object.values(STATUS))].toSorted());
  });

  it('holds the limits that the router checks', async () => {
    const { schemas } = (await (await get('/openapi.json', 'GET', {})).json()).components;
    expect(schemas.ExplainRequest.properties.control_factor).toMatchObject({ default: 0.1, minimum: 0 });
    expect(schemas.BatchSemanticEmbedRequest.properties.prompts).toMatchObject({ maxItems: 100 });
    expect(schemas.BatchSemanticEmbedRequest.required).toEqual(['prompts', 'representation']);
    expect(JSON.stringify(schemas.SemanticEmbedRequest.properties.compress_to_size)).toContain('"const":128');
  });
});

describe('methods', () => {
  it.each(Object.entries(METHODS))('%s takes %s alone, and says so', async (path, method) => {
    for (const wrong of ['GET', 'POST', 'PUT', 'DELETE'].filter((each) => each !== method)) {
      const response = await get(path, wrong);
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe(method);
      const { error } = await response.json();
      expect(decodeURI(error.message ?? error)).toBe(`${path}: expected ${method}, got ${wrong}`);
    }
  });
});
