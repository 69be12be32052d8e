import type { JobProgress } from '../../src/protocol/progress.ts';
import type { PrepareJob } from '../../src/protocol/model-job.ts';
import type { OpenImages } from './images/open-images.ts';
import type { GenerationFiles } from './loading/generation-files.ts';
import type { SentenceModules } from './loading/sentence-modules.ts';
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

/**
 * Models by folder and device: each is loaded once, callers that come while it loads wait for the same load and hear
 * its progress, and a failed or lost one is forgotten so that the next caller tries again.
 */
export function createEngine(load: LoadFolder) {
  const models = new Map<string, { loaded: Promise<LoadedModel>; listeners: Set<(progress: JobProgress) => void> }>();
  return async (wanted: PrepareJob, onProgress: (progress: JobProgress) => void): Promise<LoadedModel> => {
    const key = keyOf(wanted);
    const entry = models.get(key) ?? start(key, wanted);
    entry.listeners.add(onProgress);
    try {
      return await entry.loaded;
    } finally {
      entry.listeners.delete(onProgress);
    }
  };

  function start(key: string, wanted: PrepareJob) {
    const listeners = new Set<(progress: JobProgress) => void>();
    const loaded = load(wanted, (progress) => listeners.forEach((listen) => listen(progress)));
    loaded.catch(() => models.delete(key));
    const entry = { loaded, listeners };
    models.set(key, entry);
    return entry;
  }
}

/** The same folder is another model on another device. A replaced token opens the engine's again. */
function keyOf({ model, backend, remote }: PrepareJob): string {
  const device = remote ? [remote.address, remote.model, remote.token] : [backend ?? 'measured'];
  return [model.folder, model.dtype, ...device].join(' ');
}
