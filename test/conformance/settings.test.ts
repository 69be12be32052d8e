import { describe, expect, it, vi } from 'vitest';
import { ErrorBody } from '../../src/contract/prompt.ts';
import { createCatalogue, embeddedModels } from '../../src/models/catalogue.ts';
import { createServiceSettings } from '../../src/service/service-settings.ts';
import { createFakeEmbedder } from '../support/fakes/fake-embedder.ts';
import { createFakeModel } from '../support/fakes/fake-model.ts';
import { createPage, post, TOKEN } from '../support/fakes/page.ts';

const catalogue = createCatalogue(embeddedModels('http://localhost/models/'));

/** Storage that lives as long as a test. */
function memory(content: Record<string, string> = {}) {
  const kept = new Map(Object.entries(content));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
}

const keeperOver = (storage = memory()) => createServiceSettings(storage, catalogue);

const ask = async (page: ReturnType<typeof createPage>, path: string, body: object) => {
  const response = await page.router.fetch(post(path, body));
  return { status: response.status, body: await response.json() };
};

describe('settings change what is answered, from the next request on', () => {
  const embed = { model: 'lightwell-base', prompt: 'Rome' };

  it('names the operator that hosting may ask for', async () => {
    const page = createPage();
    const keeper = page.router.settings;
    expect((await ask(page, '/embed', { ...embed, hosting: 'acme' })).status).toBe(400);
    keeper.set({ operator: 'acme' });
    expect((await ask(page, '/embed', { ...embed, hosting: 'acme' })).status).toBe(200);
    expect((await ask(page, '/embed', { ...embed, hosting: 'operator' })).status).toBe(200);
    const completed = await ask(page, '/v1/completions', { model: 'lightwell-base', prompt: 'a', hosting: 'other' });
    expect(completed.status).toBe(400);
    const refused = await ask(page, '/embed', { ...embed, hosting: 'lightwell' });
    expect(refused.body.error).toBe('hosting: expected null, "operator" or "acme", got "lightwell"');
  });

  it('answers to names from elsewhere, and says what really ran', async () => {
    const page = createPage();
    const keeper = page.router.settings;
    const foreign = { ...embed, model: 'luminous-base' };
    expect(await ask(page, '/embed', foreign)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_MODEL' } });
    keeper.set({ modelNames: { 'luminous-base': 'lightwell-base' } });
    const { status, body } = await ask(page, '/embed', foreign);
    expect(status).toBe(200);
    expect(body.model_version).toMatch(/^lightwell-base /);
  });

  it('lets one name stand for a model of each operation', async () => {
    const modelNames = { 'luminous-base': { embed: 'lightwell-base', semantic_embed: 'lightwell-embed' } } as const;
    const page = createPage({ settings: { modelNames } });
    const embedded = await ask(page, '/embed', { ...embed, model: 'luminous-base' });
    expect(embedded.body.model_version).toMatch(/^lightwell-base /);
    const embedder = createPage({ model: createFakeEmbedder(), settings: { modelNames } });
    const texts = { model: 'luminous-base', prompts: ['x'], representation: 'query' };
    expect((await ask(embedder, '/batch_semantic_embed', texts)).body.model_version).toMatch(/^lightwell-embed /);
    const explained = await ask(page, '/explain', { model: 'luminous-base', prompt: 'a', target: 'b' });
    expect(explained).toMatchObject({ status: 400, body: { code: 'MISSING_CAPABILITY' } });
    expect(explained.body.error).toContain('which settings map for embed, semantic_embed');
  });

  it('does not take a mapped name for a capability', async () => {
    const page = createPage({ settings: { modelNames: { 'luminous-base': 'lightwell-base' } } });
    const body = { model: 'luminous-base', prompts: ['x'], representation: 'query' };
    expect(await ask(page, '/batch_semantic_embed', body)).toMatchObject({ body: { code: 'MISSING_CAPABILITY' } });
  });

  it('refuses a cost without a price, which could not be kept to', () => {
    const keeper = keeperOver();
    expect(() => keeper.set({ upstream: { maxCost: 1 } })).toThrow(
      'upstream.maxCost: expected null while pricePerMillionTokens is null, got 1',
    );
    keeper.set({ upstream: { maxCost: 1, pricePerMillionTokens: 2 } });
    expect(() => keeper.set({ upstream: { pricePerMillionTokens: null } })).toThrow(/^upstream.maxCost: expected null/);
    keeper.set({ upstream: { pricePerMillionTokens: null, maxCost: null } });
    expect(keeper.get().upstream).toMatchObject({ pricePerMillionTokens: null, maxCost: null });
  });

  it('does not read names off the prototype of objects', async () => {
    const page = createPage();
    expect((await ask(page, '/embed', { ...embed, model: 'constructor' })).status).toBe(404);
  });

  it('lets the default model of an operation be chosen', async () => {
    const other = { ...catalogue.models.find(({ name }) => name === 'lightwell-embed') };
    const second = { ...catalogue.preferred, ...other, name: 'second', version: 'second 1' };
    const page = createPage({ model: createFakeEmbedder(), models: [...catalogue.models, second] });
    const keeper = page.router.settings;
    const body = { prompts: ['x'], representation: 'query' };
    expect((await ask(page, '/batch_semantic_embed', body)).body.model_version).toMatch(/^lightwell-embed /);
    keeper.set({ defaultModels: { semantic_embed: 'second' } });
    expect((await ask(page, '/batch_semantic_embed', body)).body.model_version).toBe('second 1');
  });

  it('sets how long a request may take', async () => {
    const page = createPage({ model: createFakeModel({ delayMs: 1300 }) });
    const keeper = page.router.settings;
    keeper.set({ timeoutMs: 1000 });
    const late = await ask(page, '/embed', embed);
    expect(late).toMatchObject({
      status: 408,
      body: { code: 'TIMEOUT', error: 'expected an answer within 1 s, got none' },
    });
    keeper.set({ timeoutMs: 60_000 });
    expect((await ask(page, '/embed', embed)).status).toBe(200);
  });

  it('sets how many requests may wait', async () => {
    const page = createPage({ model: createFakeModel({ delayMs: 20 }) });
    const keeper = page.router.settings;
    keeper.set({ maxWaiting: 1 });
    const statuses = async () =>
      (await Promise.all([1, 2, 3].map(() => ask(page, '/embed', embed)))).map(({ status }) => status).toSorted();
    expect(await statuses()).toEqual([200, 200, 503]);
    keeper.set({ maxWaiting: 2 });
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('shows the operator among the hostings of a model', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const request = new Request('http://localhost/models_available', { headers });
    const [model] = await (await createPage({ settings: { operator: 'acme' } }).router.fetch(request)).json();
    expect(model.hostings).toEqual(['acme']);
  });
});

describe('lightwell.settings', () => {
  it('changes what is named, keeps the rest, and returns the whole', () => {
    const keeper = keeperOver();
    const settings = keeper.set({ operator: 'acme', defaultModels: { explain: 'lightwell-base' } });
    expect(settings).toMatchObject({ operator: 'acme', timeoutMs: 300_000 });
    expect(settings.defaultModels).toEqual({ explain: 'lightwell-base', semantic_embed: null, qa: null });
    expect(keeper.get()).toBe(settings);
  });

  it('changes a part of the device', () => {
    const keeper = keeperOver(memory({ 'lightwell.settings': '{"device":{"threads":2}}' }));
    expect(keeper.set({ device: { backend: 'wasm' } }).device).toEqual({ backend: 'wasm', threads: 2 });
  });

  it('is there again after a reload', () => {
    const storage = memory();
    keeperOver(storage).set({ operator: 'acme', allowedOrigins: ['http://localhost:8888'] });
    expect(keeperOver(storage).get()).toMatchObject({ operator: 'acme', allowedOrigins: ['http://localhost:8888'] });
  });

  it('follows another tab, and keeps its changes when this one makes another', () => {
    const storage = memory();
    const [here, there] = [keeperOver(storage), keeperOver(storage)];
    const heard: (string | null)[] = [];
    here.subscribe(({ operator }) => heard.push(operator));
    there.set({ operator: 'acme' });
    const newValue = storage.getItem('lightwell.settings');
    here.follow({ key: 'lightwell.token', newValue });
    here.follow({ key: 'lightwell.settings', newValue: null });
    expect(heard).toEqual([]);
    here.follow({ key: 'lightwell.settings', newValue });
    expect(heard).toEqual(['acme']);
    here.set({ timeoutMs: 5_000 });
    expect(keeperOver(storage).get()).toMatchObject({ operator: 'acme', timeoutMs: 5_000 });
  });

  it('follows another tab through the page, also where the token is given', () => {
    const listen = vi.fn<typeof addEventListener>();
    vi.stubGlobal('addEventListener', listen);
    const storage = memory();
    const { router } = createPage({ storage });
    vi.unstubAllGlobals();
    keeperOver(storage).set({ operator: 'acme' });
    const event = { key: 'lightwell.settings', newValue: storage.getItem('lightwell.settings') };
    for (const [, hear] of listen.mock.calls) if (typeof hear === 'function') hear(event as StorageEvent);
    expect(router.settings.get().operator).toBe('acme');
    router.dispose();
  });

  it('has its defaults where the storage cannot be read, and says so', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const getItem = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    expect(keeperOver({ ...memory(), getItem }).get()).toEqual(keeperOver().get());
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it('tells those who follow', () => {
    const keeper = keeperOver();
    const heard = vi.fn();
    const leave = keeper.subscribe(heard);
    keeper.set({ operator: 'acme' });
    leave();
    keeper.set({ operator: 'other' });
    expect(heard).toHaveBeenCalledOnce();
  });

  it.each<readonly [string, object, string]>([
    ['a short time-out', { timeoutMs: 5 }, 'timeoutMs: expected a number ≥ 1000, got 5'],
    ['a time-out in words', { timeoutMs: '5 s' }, 'timeoutMs: expected a number, got "5 s"'],
    ['no time-out', { timeoutMs: NaN }, 'timeoutMs: expected a number, got NaN'],
    ['half a place in the queue', { maxWaiting: 1.5 }, 'maxWaiting: expected a whole number, got 1.5'],
    [
      'a calibration without figures',
      { calibrations: { m: { factor: 0 } } },
      'calibrations.m.hidden: expected a number',
    ],
    ['no queue at all', { maxWaiting: 0 }, 'maxWaiting: expected a number ≥ 1, got 0'],
    ['an operator without a name', { operator: '' }, 'operator: expected a non-empty string, got ""'],
    ['a field that does not exist', { timeout: 5 }, 'settings: expected no field "timeout"'],
    [
      'an address for an origin',
      { allowedOrigins: ['http://a.example', 'http://a.example/x'] },
      'allowedOrigins[1]: expected an origin such as "https://notebook.example", got "http://a.example/x"',
    ],
    ['every origin', { allowedOrigins: ['*'] }, 'allowedOrigins[0]: expected an origin such as'],
    [
      'a model that is not there',
      { defaultModels: { explain: 'gpt' } },
      'defaultModels.explain: expected null or one of "lightwell-base"',
    ],
    [
      'a model that cannot do it',
      { defaultModels: { semantic_embed: 'lightwell-base' } },
      'defaultModels.semantic_embed: expected null or one of "lightwell-embed", got "lightwell-base"',
    ],
    ['an operation that does not exist', { defaultModels: { chat: null } }, 'defaultModels: expected no field "chat"'],
    [
      'a name for nothing',
      { modelNames: { luminous: 'gpt' } },
      'modelNames.luminous: expected one of "lightwell-base"',
    ],
    [
      'a name for a model that cannot do the operation',
      { modelNames: { luminous: { semantic_embed: 'lightwell-base' } } },
      'modelNames.luminous.semantic_embed: expected one of "lightwell-embed", got "lightwell-base"',
    ],
    ['a name for no operation', { modelNames: { luminous: {} } }, 'modelNames'],
    ['an operation that a name cannot have', { modelNames: { luminous: { chat: 'lightwell-base' } } }, 'modelNames'],
    [
      'a local name for another model',
      { modelNames: { 'lightwell-base': 'lightwell-embed' } },
      'modelNames.lightwell-base: expected a name that no local model has',
    ],
    ['no thread', { device: { threads: 0 } }, 'device.threads: expected a number ≥ 1, got 0'],
    ['no object', [], 'settings: expected an object, got []'],
  ])('refuses %s, and keeps what was', (_, change, message) => {
    const keeper = keeperOver();
    const before = keeper.get();
    const error = thrownBy(() => keeper.set(change));
    expect(error).toMatchObject({ failure: { code: 'INVALID_REQUEST' } });
    expect(String(error)).toContain(message);
    expect(keeper.get()).toBe(before);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a field that is wrong beside one that is right', '{"operator":"acme","timeoutMs":3}'],
  ])('starts with defaults in the place of %s', (_, text) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const settings = keeperOver(memory({ 'lightwell.settings': text })).get();
    expect(settings.timeoutMs).toBe(300_000);
    expect(settings.operator).toBe(text.includes('acme') ? 'acme' : 'lightwell');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('nice', () => {
  it.each(['', '?nice=true', '?nice=false', '?nice=True'])('takes %s', async (query) => {
    const { router } = createPage();
    const response = await router.fetch(post(`/embed${query}`, { model: 'lightwell-base', prompt: 'Rome' }));
    expect(response.status).toBe(200);
  });

  it.each(['banana', '1', ''])('refuses nice=%s', async (value) => {
    const { router } = createPage();
    const response = await router.fetch(post(`/embed?nice=${value}`, { model: 'lightwell-base', prompt: 'Rome' }));
    expect(response.status).toBe(400);
    const { code, error } = ErrorBody.parse(await response.json());
    expect(code).toBe('PAYLOAD_ERROR');
    expect(error).toBe(`nice: expected true or false, got "${value}"`);
  });
});
