import type { Progress } from '../../src/contract/progress.ts';
import type { Model } from '../../src/models/model.ts';
import type { PrepareJob } from '../../src/protocol/jobs.ts';
import { browserRuntime } from './browser-runtime.ts';
import { openOnBestBackend, type ChoiceOptions } from './choose-backend.ts';
import { download, downloadJson, type OnBytes } from './download.ts';
import type { LoadedFolder } from './engine.ts';
import { decodeModel } from './graph/model-proto.ts';
import { readNetworkConfig } from './network-config.ts';
import type { ExternalFile, ModelFiles } from './session.ts';

/** Ends of the model's file name by weight type, as the hub's ONNX repositories have them. @source transformers.js 4.3.1, dtypes.js */
const SUFFIXES: Readonly<Record<Model['dtype'], string>> = {
  fp32: '',
  fp16: '_fp16',
  q4: '_q4',
  q4f16: '_q4f16',
  q8: '_quantized',
};

/** How far the files are; `compile` counts one step. */
export type OnProgress = (progress: Progress) => void;

/** Loads a hub-layout folder in the browser. @throws as `loadFiles` and `openOnBestBackend` */
export function loadFolder(wanted: PrepareJob, onProgress: OnProgress, signal?: AbortSignal): Promise<LoadedFolder> {
  return loadWith(browserRuntime(), wanted, onProgress, signal);
}

/** The same with any set-up of ONNX Runtime. */
export async function loadWith(
  runtime: ChoiceOptions['runtime'],
  { model, backend }: PrepareJob,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<LoadedFolder & { readonly config: object }> {
  const folder = await loadFiles(model, onProgress, signal);
  signal?.throwIfAborted();
  onProgress({ phase: 'compile', done: 0, total: 1 });
  const config = readNetworkConfig(folder.config);
  const contextTokens = config.contextTokens ?? model.contextTokens;
  const network = await openOnBestBackend({
    runtime,
    files: folder.files,
    config: { ...config, contextTokens },
    backend,
  });
  onProgress({ phase: 'compile', done: 1, total: 1 });
  return { network, ...folder };
}

/** The files of a folder. */
export interface FolderFiles {
  readonly config: object;
  readonly tokenizerJson: object;
  readonly tokenizerConfig: object;
  readonly files: ModelFiles;
}

/**
 * Downloads a folder: `config.json`, `tokenizer.json`, `tokenizer_config.json`, `onnx/model<suffix>.onnx` and the data
 * files that the graph names.
 *
 * @param onProgress  phase `download`, in bytes of all files together
 * @throws {FailureError} MODEL_UNAVAILABLE naming the URL
 * @throws {DOMException} AbortError
 */
export async function loadFiles(model: Model, onProgress: OnProgress, signal?: AbortSignal): Promise<FolderFiles> {
  const count = byteCounter(onProgress);
  const json = (name: string) => downloadJson(model.folder + name, count(), signal);
  const [config, tokenizerJson, tokenizerConfig, file] = await Promise.all([
    json('config.json'),
    json('tokenizer.json'),
    json('tokenizer_config.json'),
    download(`${model.folder}onnx/model${SUFFIXES[model.dtype]}.onnx`, count(), signal),
  ]);
  const external: ExternalFile[] = [];
  for (const path of externalLocations(file))
    external.push({ path, data: await download(`${model.folder}onnx/${path}`, count(), signal) });
  return { config, tokenizerJson, tokenizerConfig, files: { model: file, external } };
}

/** Data files that a model file refers to, each once. */
function externalLocations(file: Uint8Array): string[] {
  const { initialisers } = decodeModel(file);
  const locations = [...initialisers.values()].map(({ external }) => external?.location);
  return [...new Set(locations.filter((location) => location !== undefined))];
}

/** One counter per file; their sum is reported. */
function byteCounter(onProgress: OnProgress): () => OnBytes {
  const files: { done: number; total: number }[] = [];
  return () => {
    const file = { done: 0, total: 0 };
    files.push(file);
    return (done, total) => {
      Object.assign(file, { done, total });
      const sum = (entry: 'done' | 'total') => files.reduce((all, each) => all + each[entry], 0);
      onProgress({ phase: 'download', done: sum('done'), total: sum('total') });
    };
  };
}
