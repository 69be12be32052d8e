import { describe, expect, it, vi } from 'vitest';
import { createEngineStore, createTimeLeft, shareOf } from '../../../src/stores/status-stores.ts';

describe('engine store', () => {
  it('goes from loading to ready, or to failed', () => {
    const store = createEngineStore('lightwell-base', () => undefined);
    expect(store.getState()).toMatchObject({ model: 'lightwell-base', status: { kind: 'loading', progress: null } });
    store.getState().loading({ phase: 'download', done: 1, total: 4 });
    expect(store.getState().status).toMatchObject({ kind: 'loading', progress: { done: 1 } });
    store.getState().ready({ backend: 'wasm', threads: 2, reason: 'measured' });
    expect(store.getState().status).toMatchObject({ kind: 'ready', report: { threads: 2 } });
    store.getState().failed({ code: 'MODEL_UNAVAILABLE', message: 'no files' });
    expect(store.getState().status).toMatchObject({ kind: 'failed', problem: { message: 'no files' } });
  });
});

it('loads the model again when asked to', () => {
  const retry = vi.fn();
  createEngineStore('lightwell-base', retry).getState().retry();
  expect(retry).toHaveBeenCalledOnce();
});

it('estimates the seconds left of each phase, from a second on, where they are five and more', () => {
  let ms = 0;
  const left = createTimeLeft(() => ms);
  const at = (seconds: number, phase: 'download' | 'compile' | 'run', done: number) => {
    ms = 1000 * seconds;
    return left({ phase, done, total: 100 });
  };
  expect(at(0, 'download', 10)).toBeNull();
  expect(at(0.5, 'download', 15)).toBeNull();
  expect(at(2, 'download', 30)).toBe(7);
  expect(at(5, 'download', 60), 'soon').toBeNull();
  expect(at(9, 'compile', 1)).toBeNull();
  expect(at(10, 'run', 0), 'another phase').toBeNull();
  expect(at(12, 'run', 10)).toBe(18);
});

describe('shareOf', () => {
  it.each([
    [null, null],
    [{ done: 0, total: 0 }, null],
    [{ done: 1, total: 4 }, 0.25],
    [{ done: 5, total: 4 }, 1],
  ])('of %j is %j', (progress, share) => {
    expect(shareOf(progress)).toBe(share);
  });
});
