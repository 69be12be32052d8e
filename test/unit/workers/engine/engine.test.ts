import { describe, expect, it, vi } from 'vitest';
import type { Model } from '../../../../src/models/model.ts';
import { createEngine } from '../../../../workers/engine/engine.ts';
import { createFakeModel } from '../../../support/fakes/fake-model.ts';
import { firstModel } from '../../../support/fakes/jobs.ts';

const GRAPH = 'onnx/model.onnx';

/** A model of so many bytes of weights. */
const modelOf = (name: string, bytes: number): Model => ({
  ...firstModel(),
  name,
  folder: `${name}/`,
  dtype: 'fp32',
  files: { 'config.json': { bytes: 100 }, [GRAPH]: { bytes } },
});
const [LARGE, OTHER, SMALL] = [modelOf('large', 1e9), modelOf('other', 1.5e9), modelOf('small', 5e6)];

/** An engine whose loads and releases are noted. */
function engineOver(options: Parameters<typeof createEngine>[1] = {}) {
  const log: string[] = [];
  const engine = createEngine(async ({ model: { name } }) => {
    log.push(`load ${name}`);
    const fake = createFakeModel();
    return { ...fake, network: { ...fake.network, release: async () => void log.push(`release ${name}`) } };
  }, options);
  const use = (model: Model, task: () => Promise<unknown> = async () => undefined) =>
    engine.withModel({ model }, () => undefined, task);
  return { log, engine, use };
}

describe('an engine', () => {
  it('loads a model once, and again after a failure', async () => {
    const { log, use } = engineOver();
    await Promise.all([use(SMALL), use(SMALL)]);
    await use(SMALL);
    expect(log).toEqual(['load small']);
    let attempts = 0;
    const failing = createEngine(async () => {
      if (attempts++ === 0) throw new Error('gone');
      return createFakeModel();
    });
    const ask = () =>
      failing.withModel(
        { model: SMALL },
        () => undefined,
        async () => 'used',
      );
    await expect(ask()).rejects.toThrow('gone');
    expect(await ask()).toBe('used');
  });

  it('lets a task go that is cancelled while its model loads, which goes on for others', async () => {
    let finish: () => void = () => undefined;
    const isLoaded = new Promise<void>((resolve) => (finish = resolve));
    const slow = createEngine(async () => {
      await isLoaded;
      return createFakeModel();
    });
    const aborting = new AbortController();
    const ask = (signal?: AbortSignal) =>
      slow.withModel(
        { model: SMALL },
        () => undefined,
        async () => 'used',
        signal,
      );
    const [left, stayed] = [ask(aborting.signal), ask()];
    aborting.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ask(aborting.signal)).rejects.toMatchObject({ name: 'AbortError' });
    finish();
    expect(await stayed).toBe('used');
  });

  it('opens a model once more for jobs that steer it', async () => {
    const { log, engine, use } = engineOver();
    const steer = () =>
      engine.withModel(
        { model: SMALL, steering: [] },
        () => undefined,
        async () => undefined,
      );
    await use(SMALL);
    await steer();
    await steer();
    expect(log).toEqual(['load small', 'load small']);
    await engine.unload(SMALL.folder);
    expect(log.slice(2)).toEqual(['release small', 'release small']);
  });

  it('holds one large model at a time, beside any that are small', async () => {
    const { log, use } = engineOver();
    await use(SMALL);
    await use(LARGE);
    await use(OTHER);
    await use(SMALL);
    expect(log).toEqual(['load small', 'load large', 'release large', 'load other']);
  });

  it('leaves a large one alone that is in use, and says what is needed and what is free where both do not fit', async () => {
    const { log, use } = engineOver({ memoryBudget: 3e9 });
    let finish: () => void = () => undefined;
    const busy = use(LARGE, () => new Promise<void>((resolve) => (finish = resolve)));
    await vi.waitFor(() => expect(log).toEqual(['load large']));
    await expect(use(OTHER)).rejects.toMatchObject({
      failure: {
        code: 'OUT_OF_MEMORY',
        message: 'model "other": needs about 2.4 GB of memory, 1.4 GB free beside "large", in use now',
      },
    });
    finish();
    await busy;
    await use(OTHER);
    expect(log).toEqual(['load large', 'release large', 'load other']);
  });

  it('refuses what cannot fit before anything is loaded', async () => {
    const { log, use } = engineOver({ memoryBudget: 1e9 });
    await expect(use(OTHER)).rejects.toMatchObject({
      failure: { message: expect.stringContaining('needs about 2.4 GB of memory, 1.0 GB free; take a smaller') },
    });
    expect(log).toEqual([]);
  });

  it('wants a new worker before a large model is loaded after another one, and for no small one', async () => {
    const replaceWorker = vi.fn();
    const { log, use } = engineOver({ replaceWorker });
    await use(LARGE);
    await use(SMALL);
    expect(replaceWorker).not.toHaveBeenCalled();
    void use(OTHER);
    await vi.waitFor(() => expect(replaceWorker).toHaveBeenCalledOnce());
    expect(log).toEqual(['load large', 'load small']);
  });

  it('wants no new worker while another task uses a model', async () => {
    const replaceWorker = vi.fn();
    const { log, use } = engineOver({ replaceWorker });
    await use(LARGE);
    let finish: () => void = () => undefined;
    const busy = use(SMALL, () => new Promise<void>((resolve) => (finish = resolve)));
    await use(OTHER);
    finish();
    await busy;
    expect(log).toEqual(['load large', 'load small', 'release large', 'load other']);
    expect(replaceWorker).not.toHaveBeenCalled();
  });

  it('counts a model that is unloaded while a task uses it', async () => {
    const replaceWorker = vi.fn();
    const { log, use, engine } = engineOver({ replaceWorker, memoryBudget: 3e9 });
    let finish: () => void = () => undefined;
    const busy = use(LARGE, () => new Promise<void>((resolve) => (finish = resolve)));
    await vi.waitFor(() => expect(log).toEqual(['load large']));
    const unloaded = engine.unload(LARGE.folder);
    const other = use(OTHER);
    expect(replaceWorker).not.toHaveBeenCalled();
    await expect(other).rejects.toMatchObject({ failure: { code: 'OUT_OF_MEMORY' } });
    finish();
    await Promise.all([busy, unloaded]);
    void use(OTHER);
    expect(replaceWorker).toHaveBeenCalledOnce();
    expect(log).toEqual(['load large', 'release large']);
  });

  it('releases a model once, before another one is loaded', async () => {
    const { log, use, engine } = engineOver();
    await use(LARGE);
    await Promise.all([engine.unload(LARGE.folder), use(OTHER)]);
    expect(log).toEqual(['load large', 'release large', 'load other']);
  });

  it('unloads a folder once nobody uses it, and no other', async () => {
    const { log, use, engine } = engineOver();
    await use(LARGE);
    let finish: () => void = () => undefined;
    const busy = use(SMALL, () => new Promise<void>((resolve) => (finish = resolve)));
    await vi.waitFor(() => expect(log).toContain('load small'));
    const unloaded = engine.unload(SMALL.folder);
    await Promise.resolve();
    expect(log).not.toContain('release small');
    finish();
    await Promise.all([busy, unloaded]);
    expect(log).toEqual(['load large', 'load small', 'release small']);
    await engine.unload('nobody/');
  });
});
