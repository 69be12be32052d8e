import { DownloadFailure, type DownloadsClient } from '../../../src/downloads/downloads.ts';
import type { HeldFiles } from '../../../src/models/model.ts';
import type {
  FetchProgress,
  DownloadTaskKind,
  DownloadProblem,
  FetchPlan,
  StoredModel,
} from '../../../src/protocol/download-tasks.ts';
import type { TaskOptions } from '../../../src/scheduler/task-port.ts';
import type { OwnModelsSource } from '../../../src/stores/model-home.ts';

/** A task that a fake keeping was given, and what ends it. */
export interface FakeTask {
  readonly kind: DownloadTaskKind;
  readonly input: unknown;
  readonly options: TaskOptions<FetchProgress>;
  done(): void;
  failed(problem: DownloadProblem): void;
}

/** Locks as one browser has them: each is held by one at a time, in order. */
export function fakeLocks() {
  const holders = new Map<string, Promise<unknown>>();
  const request = async (name: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const task = rest.at(-1) as (lock: object | null) => Promise<unknown>;
    const { ifAvailable = false, signal } = (rest.length > 1 ? rest[0] : {}) as LockOptions;
    if (ifAvailable && holders.has(name)) return task(null);
    while (holders.has(name)) await Promise.race([holders.get(name), abortOf(signal)]);
    const held = (async () => task({ name }))();
    const over = held.then(
      () => undefined,
      () => undefined,
    );
    holders.set(name, over);
    void over.then(() => holders.delete(name));
    return held;
  };
  return { request: request as LockManager['request'] };
}

async function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** What the stores of somebody's models work with, in memory. */
export function fakeOwnModels(space: { used: number; allowed: number } | null = { used: 0, allowed: 1e9 }) {
  const kept: StoredModel[] = [];
  const tasks: FakeTask[] = [];
  const log: string[] = [];
  const broken = new Set<string>();
  const run = (kind: DownloadTaskKind, input: unknown, options: TaskOptions<FetchProgress> = {}) =>
    new Promise((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      const failed = (problem: DownloadProblem) => reject(new DownloadFailure(problem));
      tasks.push({ kind, input, options, done: () => resolve(null), failed });
    });
  const source: OwnModelsSource = {
    home: {
      async addFolder({ name }) {
        if (broken.has(name)) throw new Error(`${name} could not be looked at`);
        log.push(`add ${name}`);
      },
      removeModel: (name) => void log.push(`remove ${name}`),
      deviceOf: () => Promise.reject(new Error('nothing is loaded here')),
      lastUses: () => ({ 'owner/one': 5 }),
    },
    storage: {
      list: async () => ({ complete: [...kept], partial: [] }),
      open: async ({ name }): Promise<HeldFiles> => {
        if (broken.has(name)) throw new Error(`${name}: a file is not there`);
        return { 'config.json': new Blob(['{}']) };
      },
      remove: async (name) => {
        log.push(`delete ${name}`);
        const at = kept.findIndex((model) => model.name === name);
        if (at >= 0) kept.splice(at, 1);
      },
      space: async () => space,
      persist: async () => (log.push('persist'), true),
      locks: fakeLocks(),
    },
    downloads: { run: run as DownloadsClient['run'] },
  };
  return { source, kept, tasks, log, broken };
}

/** A plan of one file of so many bytes. */
export function planOf(name: string, bytes = 1_000): FetchPlan {
  const from = { hub: 'https://hub', id: name, revision: 'main', commit: 'c0ffee', subfolder: '', licence: 'mit' };
  const path = 'onnx/model.onnx';
  return { name, from, files: [{ path, url: `https://hub/${path}`, bytes, sha256: null, gitHash: null }] };
}

/** The same once it is kept. */
export function keptOf(name: string): StoredModel {
  return { name, files: { 'config.json': 2 }, from: planOf(name).from, keptAt: 1 };
}
