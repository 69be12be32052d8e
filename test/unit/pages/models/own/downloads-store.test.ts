import { describe, expect, it, vi } from 'vitest';
import { createModelDownloadsStore } from '../../../../../src/pages/models/own/own-models.ts';
import { createFoldersStore } from '../../../../../src/pages/models/own/folders-store.ts';
import { fakeOwnModels, keptOf, planOf } from '../../../../support/hub/own-models.ts';

const plan = planOf('owner/one');
const progress = (done: number) => ({ phase: 'fetching' as const, done, total: 1_000, files: [] });

function stores() {
  const fake = fakeOwnModels();
  const folders = createFoldersStore(fake.source);
  let nowMs = 0;
  const fetches = createModelDownloadsStore(fake.source, folders, () => (nowMs += 500));
  const state = () => fetches.getState().fetches.map(({ state }) => state);
  return { ...fake, folders, fetches, state };
}

describe('models on their way', () => {
  it('show how far and how fast they are, and are listed when they are whole', async () => {
    const { fetches, folders, tasks, kept, state, log } = stores();
    const started = fetches.getState().start(plan, 'hf_secret');
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    expect(tasks[0]?.input).toEqual({ plan, token: 'hf_secret' });
    tasks[0]?.options.onProgress?.(progress(100));
    tasks[0]?.options.onProgress?.(progress(600));
    const [fetch] = fetches.getState().fetches;
    expect(fetch?.progress.done).toBe(600);
    expect(fetch?.rate).toEqual({ bytesPerSecond: 1_000, secondsLeft: 0.4 });
    await fetches.getState().start(plan, null); // it runs already
    kept.push(keptOf(plan.name));
    tasks[0]?.done();
    await started;
    expect(state()).toEqual([]);
    expect(tasks).toHaveLength(1);
    expect(log).toContain('add owner/one');
    expect(folders.getState().models).toMatchObject([{ name: 'owner/one', isStored: true }]);
  });

  it('pause and go on with the token of before', async () => {
    const { fetches, tasks, state } = stores();
    const started = fetches.getState().start(plan, 'hf_secret');
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    tasks[0]?.options.onProgress?.(progress(300));
    fetches.getState().pause(plan.name);
    await started;
    expect(state()).toEqual(['paused']);
    const resumed = fetches.getState().resume(plan.name);
    await vi.waitFor(() => expect(tasks).toHaveLength(2));
    expect(tasks[1]?.input).toEqual({ plan, token: 'hf_secret' });
    expect(fetches.getState().fetches[0]?.progress.done).toBe(300);
    tasks[1]?.done();
    await resumed;
    expect(state()).toEqual([]);
  });

  it('say why they failed, and try again when they are asked to', async () => {
    const { fetches, tasks, state } = stores();
    const started = fetches.getState().start(plan, null);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    tasks[0]?.failed({ kind: 'wrong', detail: 'a byte' });
    await started;
    expect(fetches.getState().fetches[0]).toMatchObject({ state: 'failed', problem: { kind: 'wrong' } });
    void fetches.getState().resume(plan.name);
    await vi.waitFor(() => expect(tasks).toHaveLength(2));
    expect(state()).toEqual(['running']);
    expect(fetches.getState().fetches[0]?.problem).toBeNull();
  });

  it('leave nothing behind when they are cancelled, but what was whole by then', async () => {
    const { fetches, tasks, state, log, kept } = stores();
    const started = fetches.getState().start(plan, null);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    await fetches.getState().cancel(plan.name);
    await started;
    expect(state()).toEqual([]);
    expect(log).toContain('delete owner/one');
    void fetches.getState().start(plan, null);
    await vi.waitFor(() => expect(tasks).toHaveLength(2));
    kept.push(keptOf(plan.name));
    log.length = 0;
    await fetches.getState().cancel(plan.name);
    expect(log).not.toContain('delete owner/one');
  });

  it('of an earlier visit are listed as paused, once', () => {
    const { fetches } = stores();
    const begun = [{ plan, done: 250 }];
    fetches.getState().restore(begun);
    fetches.getState().restore(begun);
    expect(fetches.getState().fetches).toMatchObject([{ state: 'paused', progress: { done: 250, total: 1_000 } }]);
  });
});
