import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue, embeddedModels } from '../../../src/models/catalogue.ts';
import { createServiceSettings } from '../../../src/service/service-settings.ts';
import { createStores } from '../../../src/app/create-stores.ts';
import { createFakeMemory, createFakePage } from '../../support/fakes/fake-memory.ts';
import { CALIBRATION, SILENT_OPTIONS } from '../../support/silent-client.ts';

// The stores must be usable without React; a mistaken import fails here.
vi.mock('react', () => {
  throw new Error('the state room knows no React');
});

const UNCHANGED = { get: () => DEFAULT_SETTINGS, set: () => DEFAULT_SETTINGS, subscribe: () => () => undefined };

/** What the page gives its stores, over a storage of the test. */
function setUp(
  hash = '',
  storage = createFakeMemory(),
  settings: Parameters<typeof createStores>[0]['settings'] = UNCHANGED,
) {
  const page = createFakePage();
  const stores = createStores({
    ...SILENT_OPTIONS,
    token: () => '',
    model: 'lightwell-base',
    storage,
    settings,
    tokens: { current: () => 'secret', replace: () => 'other' },
    choices: { explain: ['lightwell-base'], semantic_embed: [], qa: [] },
    models: ['lightwell-base'],
    languages: ['de'],
    address: { location: { hash }, ...page },
  });
  return { stores, storage, page };
}

describe('createStores', () => {
  it('speaks the language of the browser, and the one that is chosen after a reload', async () => {
    const { stores, storage, page } = setUp();
    const { choose, choice } = stores.language.getState();
    await choose(choice);
    expect(stores.language.getState()).toMatchObject({ choice: 'system', system: 'de', current: 'de' });
    await choose('en');
    expect(stores.language.getState()).toMatchObject({ choice: 'en', current: 'en', isFailed: false });
    page.leave(); // whatever waits is written
    expect(setUp('', storage).stores.language.getState().choice).toBe('en');
  });

  it('makes one store per feature, each in its first state', () => {
    const { api, engine, explain, models, page, selection, settings, theme, transports } = setUp('#/settings').stores;
    expect(page.getState().page).toBe('settings');
    expect(settings.getState()).toMatchObject({ settings: DEFAULT_SETTINGS, token: 'secret' });
    expect(models.getState().cards).toEqual({});
    expect(api.getState().phase.kind).toBe('idle');
    expect(transports.getState().bridge).toBe('connecting');
    expect(engine.getState()).toMatchObject({ model: 'lightwell-base', status: { kind: 'loading' } });
    expect(explain.getState().phase.kind).toBe('idle');
    expect(selection.getState().view).toBe('whole');
    expect(theme.getState().theme).toBe('system');
  });

  it('explains with the factor that suits the model, unless another one was chosen', () => {
    const { engine, explain } = setUp().stores;
    const factor = () => explain.getState().question.settings.factor;
    engine.getState().opening('owner/other');
    expect(factor()).toBe(0);
    engine.getState().opening('lightwell-base');
    expect(factor()).toBe(0.1);
    explain.getState().adjust({ factor: 0.5 });
    engine.getState().opening('owner/other');
    expect(factor()).toBe(0.5);
  });

  it('explains with the factor of a calibration as soon as there is one', () => {
    const settings = createServiceSettings(null, createCatalogue(embeddedModels('http://localhost/models/')));
    const { engine, explain } = setUp('', createFakeMemory(), settings).stores;
    const factor = () => explain.getState().question.settings.factor;
    engine.getState().opening('owner/other');
    settings.set({ calibrations: { 'owner/third': CALIBRATION } });
    expect(factor()).toBe(0);
    settings.set({ calibrations: { 'owner/other': CALIBRATION } });
    expect(factor()).toBe(0.1);
    explain.getState().adjust({ factor: 0.5 });
    settings.set({ calibrations: {} });
    expect(factor()).toBe(0.5);
  });

  it('keeps what all of them were left with', () => {
    const { stores, storage, page } = setUp();
    for (const prompt of ['a', 'ab', 'abc']) stores.explain.getState().edit({ prompt });
    stores.api.getState().edit('{"a":1}');
    stores.theme.getState().choose('dark');
    page.leave();
    const again = setUp('', storage).stores;
    expect(again.explain.getState().question.prompt).toBe('abc');
    expect(again.api.getState().bodies).toEqual({ explain: '{"a":1}' });
    expect(again.theme.getState().theme).toBe('dark');
  });
});
