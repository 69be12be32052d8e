import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../src/contract/settings.ts';
import { createStores } from '../../../../src/state/stores.ts';

// The stores must be usable without React; a mistaken import fails here.
vi.mock('react', () => {
  throw new Error('the state room knows no React');
});

describe('createStores', () => {
  it('makes one store per feature, each in its first state', () => {
    const client = { explain: () => Promise.reject(new Error('not asked')) };
    const options = { client, call: client.explain, token: () => '', model: 'lightwell-base', storage: null };
    const settings = { get: () => DEFAULT_SETTINGS, set: () => DEFAULT_SETTINGS, subscribe: () => () => undefined };
    const tokens = { current: () => 'secret', replace: () => 'other' };
    const choices = { explain: ['lightwell-base'], semantic_embed: [], qa: [] };
    const address = { location: { hash: '#/settings' }, addEventListener: () => undefined };
    const cards = { modelFacts: [], readText: () => Promise.reject(new Error('not asked')) };
    const names = { choices, models: ['lightwell-base'] };
    const stores = createStores({ ...options, ...names, ...cards, settings, tokens, address });
    const { api, engine, explain, selection, theme, transports } = stores;
    expect(stores.page.getState().page).toBe('settings');
    expect(stores.settings.getState()).toMatchObject({ settings: DEFAULT_SETTINGS, token: 'secret' });
    expect(stores.models.getState().cards).toEqual({});
    expect(api.getState().phase.kind).toBe('idle');
    expect(transports.getState().bridge).toBe('connecting');
    expect(engine.getState()).toMatchObject({ model: 'lightwell-base', status: { kind: 'loading' } });
    expect(explain.getState().phase.kind).toBe('idle');
    expect(selection.getState().view).toBe('whole');
    expect(theme.getState().theme).toBe('system');
  });
});
