import { createTokenStore } from '../../../src/service/token.ts';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createCatalogue, embeddedModels } from '../../../src/models/catalogue.ts';
import { createServiceSettings } from '../../../src/service/service-settings.ts';
import { createEngineLinkStore, createSettingsStore } from '../../../src/stores/settings-store.ts';

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

describe('createEngineLinkStore', () => {
  const ADDRESS = 'http://localhost:8000/v1';

  /** A server that lists its models when the test says so. */
  function createLink() {
    const { settings } = createBench();
    settings.set({ upstream: { address: ADDRESS } });
    const answers: { resolve(names: readonly string[]): void; reject(error: Error): void }[] = [];
    const connectUpstream = () =>
      new Promise<readonly string[]>((resolve, reject) => answers.push({ resolve, reject }));
    const store = createEngineLinkStore({ offer: async () => null, check: vi.fn<never>(), connectUpstream }, settings);
    return { settings, store, answers, list: () => store.getState().upstreamModels };
  }

  it('says that the models of a server are being listed, and then which they are', async () => {
    const { store, answers, list } = createLink();
    expect(list()).toEqual({ kind: 'none' });
    const listing = store.getState().connectUpstream();
    expect(list()).toEqual({ kind: 'listing' });
    answers[0]?.resolve([]);
    await listing;
    expect(list()).toEqual({ kind: 'listed', names: [] });
  });

  it('says why they cannot be listed, until another server is chosen', async () => {
    const { settings, store, answers, list } = createLink();
    const listing = store.getState().connectUpstream();
    answers[0]?.reject(new Error('closed'));
    await listing;
    expect(list()).toEqual({ kind: 'failed', message: 'closed' });
    settings.set({ upstream: { maxTokens: 5 } });
    expect(list()).toMatchObject({ kind: 'failed' });
    settings.set({ upstream: { address: null } });
    expect(list()).toEqual({ kind: 'none' });
  });

  it('leaves out the list of a server that is off again', async () => {
    const { settings, store, answers, list } = createLink();
    const before = store.getState().connectUpstream();
    settings.set({ upstream: { address: null } });
    settings.set({ upstream: { address: ADDRESS } });
    const now = store.getState().connectUpstream();
    answers[0]?.resolve(['old']);
    await before;
    expect(list()).toEqual({ kind: 'listing' });
    answers[1]?.resolve(['m']);
    await now;
    expect(list()).toEqual({ kind: 'listed', names: ['m'] });
  });
});
