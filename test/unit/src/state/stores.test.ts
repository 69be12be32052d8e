import { describe, expect, it, vi } from 'vitest';
import { createStores } from '../../../../src/state/stores.ts';

// The stores must be usable without React; a mistaken import fails here.
vi.mock('react', () => {
  throw new Error('the state room knows no React');
});

describe('createStores', () => {
  it('makes one store per feature, each in its first state', () => {
    const client = { explain: () => Promise.reject(new Error('not asked')) };
    const { engine, explain, selection, theme } = createStores({ client, model: 'lightwell-base', storage: null });
    expect(engine.getState()).toMatchObject({ model: 'lightwell-base', status: { kind: 'loading' } });
    expect(explain.getState().phase.kind).toBe('idle');
    expect(selection.getState().view).toBe('whole');
    expect(theme.getState().theme).toBe('system');
  });
});
