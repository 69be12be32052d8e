import { createTokenStore } from '../../../src/service/token.ts';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue, embeddedModels } from '../../../src/models/catalogue.ts';
import { createServiceSettings } from '../../../src/service/service-settings.ts';
import { createSettingsStore } from '../../../src/stores/settings-store.ts';

function createBench() {
  const settings = createServiceSettings(null, createCatalogue(embeddedModels('http://localhost/models/')));
  const tokens = createTokenStore(null);
  const choices = { explain: [], semantic_embed: [], qa: [] };
  return { settings, tokens, store: createSettingsStore({ settings, tokens, choices, models: [] }) };
}

describe('createSettingsStore', () => {
  it('keeps a change and shows it', () => {
    const { settings, store } = createBench();
    expect(store.getState().change({ operator: 'acme' })).toBeNull();
    expect(settings.get().operator).toBe('acme');
    expect(store.getState().settings.operator).toBe('acme');
  });

  it('says what is wrong with a change, and shows what is kept', () => {
    const { store } = createBench();
    expect(store.getState().change({ timeoutMs: 1 })).toBe('timeoutMs: expected a number ≥ 1000, got 1');
    expect(store.getState().settings).toEqual(DEFAULT_SETTINGS);
  });

  it('shows what a script has changed', () => {
    const { settings, store } = createBench();
    settings.set({ maxWaiting: 3 });
    expect(store.getState().settings.maxWaiting).toBe(3);
  });

  it('replaces the token', () => {
    const { tokens, store } = createBench();
    const { token, replaceToken } = store.getState();
    replaceToken();
    expect(store.getState().token).not.toBe(token);
    expect(store.getState().token).toBe(tokens.current());
  });
});
