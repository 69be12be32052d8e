import type { JobProgress } from '../../src/protocol/progress.ts';
import type { PrepareJob } from '../../src/protocol/model-job.ts';
import { neededBytes } from '../../src/models/memory.ts';
import { type Held, isLarge, makeRoom } from './device/room.ts';
import type { OpenImages } from './images/open-images.ts';
import type { GenerationFiles } from './loading/generation-files.ts';
import type { SentenceModules } from './loading/sentence/sentence-modules.ts';
import type { Tokenizer } from './loading/tokenizer.ts';
import type { Network } from './network.ts';

/** A model that is ready to run. */
export interface LoadedModel {
  readonly network: Network;
  readonly tokenizer: Tokenizer;
  /** `config.json`, parsed. */
  readonly config: object;
  /** `config_sentence_transformers.json`, parsed, where a folder has one. */
  readonly sentenceConfig?: object;
  /** What `modules.json` says of pooling, where a folder has one. */
  readonly sentenceModules?: SentenceModules;
  /** How a model that writes is to be asked, where a folder says that. */
  readonly generation?: GenerationFiles;
  /** Of a model that reads pictures. */
  readonly images?: OpenImages;
}

/** Loads a hub-layout folder onto a device. Where that fails, it leaves nothing open. */
export type LoadFolder = (wanted: PrepareJob, onProgress: (progress: JobProgress) => void) => Promise<LoadedModel>;

/** Lends a model to a task, for as long as that takes. */
export type LendModel = <Value>(
  wanted: PrepareJob,
  onProgress: (progress: JobProgress) => void,
  task: (model: LoadedModel) => Promise<Value>,
) => Promise<Value>;

/** Models that are loaded. */
export interface Engine {
  readonly lend: LendModel;
  /** Releases what is loaded of a folder, once nobody uses it. */
  unload(folder: string): Promise<void>;
}

/** How an engine keeps models. */
export interface EngineOptions {
  /** Memory that models may take, in bytes; left out: as much as there is. */
  readonly room?: number;
  /** A large model that nobody has used for so long is released; left out: five minutes. */
  readonly idleMs?: number;
}

const IDLE_MS = 300_000;

/** A model that is loaded or loading. */
interface Entry extends Held {
  readonly folder: string;
  loaded: Promise<LoadedModel>;
  readonly listeners: Set<(progress: JobProgress) => void>;
  users: number;
  /** What waits until nobody uses it. */
  whenIdle: (() => void)[];
  idle?: ReturnType<typeof setTimeout>;
}

/**
 * Models by folder and device: each is loaded once, callers that come while it loads wait for the same load and hear
 * its progress, and a failed or lost one is forgotten so that the next caller tries again. Large ones go when they are idle, or
 * another large one comes.
 */
export function createEngine(load: LoadFolder, { room = Infinity, idleMs = IDLE_MS }: EngineOptions = {}): Engine {
  const models = new Map<string, Entry>();
  return {
    async lend(wanted, onProgress, task) {
      const key = keyOf(wanted);
      const entry = models.get(key) ?? start(key, wanted);
      entry.users++;
      clearTimeout(entry.idle);
      entry.listeners.add(onProgress);
      try {
        const model = await entry.loaded.finally(() => entry.listeners.delete(onProgress));
        return await task(model);
      } finally {
        entry.users--;
        if (entry.users === 0) settle(entry);
      }
    },
    async unload(folder) {
      await Promise.all(
        [...models.values()].filter((entry) => entry.folder === folder).map((entry) => entry.release()),
      );
    },
  };

  function start(key: string, wanted: PrepareJob): Entry {
    const { name, folder } = wanted.model;
    const bytes = wanted.remote ? undefined : neededBytes(wanted.model); // weights elsewhere take no memory here
    const others = [...models.values()];
    const listeners: Entry['listeners'] = new Set();
    const open = async () => {
      await makeRoom({ name, bytes }, others, room);
      return load(wanted, (progress) => listeners.forEach((listen) => listen(progress)));
    };
    const entry: Entry = {
      ...{ name, folder, listeners, bytes, users: 0, whenIdle: [], loaded: open() },
      uses: () => entry.users,
      async release() {
        if (models.get(key) === entry) models.delete(key); // whoever comes now loads it again
        clearTimeout(entry.idle);
        if (entry.users > 0) await new Promise<void>((resolve) => entry.whenIdle.push(resolve));
        const model = await entry.loaded.catch(() => undefined);
        await model?.network.release();
      },
    };
    entry.loaded.catch(() => models.get(key) === entry && models.delete(key));
    models.set(key, entry);
    return entry;
  }

  function settle(entry: Entry): void {
    for (const resolve of entry.whenIdle.splice(0)) resolve();
    if (isLarge(entry)) entry.idle = setTimeout(() => void entry.release().catch(console.error), idleMs);
  }
}

/** The same folder is another model on another device. A replaced token opens the engine's again. */
function keyOf({ model, backend, remote, threads }: PrepareJob): string {
  const device = remote
    ? [remote.address, remote.model, remote.token]
    : [backend ?? 'measured', threads?.count ?? 'usual'];
  return [model.folder, model.dtype, ...device].join(' ');
}
