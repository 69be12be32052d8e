import { FailureError } from '../../../src/contract/failure.ts';
import type { PrepareJob } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../engine.ts';
import type { Network } from '../network.ts';
import type { RemoteOptions } from '../remote/open-remote.ts';
import { decodePicture } from '../images/decode-picture.ts';
import { imagesOnDemand, type ImageRuntime } from '../images/open-images.ts';
import { finiteOnly } from '../finite.ts';
import { browserRuntime, browserRuntimeOn, type BrowserRuntime } from '../session/browser-runtime.ts';
import { openOnBestBackend } from '../session/choose-backend.ts';
import type { ChoiceOptions } from '../session/open-tested.ts';
import { digestOf } from './received-file.ts';
import type { JobProgress } from '../../../src/protocol/progress.ts';
import { download, type OnBytes } from './download.ts';
import { type FolderFiles, type OnProgress, graphNameIn, graphPath, loadFiles, writes } from './model-files.ts';
import type { GraphFiles } from '../session/session.ts';
import { readTokenizer } from './read-tokenizer.ts';
import { readNetworkConfig } from '../analysis/network-config.ts';

/** Loads a hub-layout folder in the browser. @throws {FailureError} NO_WEBASSEMBLY; and as `loadFiles`, `openOnBestBackend`, `openRemotely` */
export async function loadFolder(
  wanted: PrepareJob,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<LoadedModel> {
  if (!('WebAssembly' in self))
    throw new FailureError(
      'NO_WEBASSEMBLY',
      'expected a browser with WebAssembly, got one without or with it switched off',
    );
  const { model, threads, wasmUrl } = wanted;
  // What transformers.js runs shares its ONNX Runtime, and so its number of threads.
  const isChosen = threads !== undefined && !writes(model);
  const runtime = isChosen ? await browserRuntimeOn(threads, wasmUrl) : browserRuntime(wasmUrl);
  return loadWith({ ...runtime, decode: decodePicture }, wanted, onProgress, signal);
}

/** What a folder is loaded with: ONNX Runtime as it is set up here, and the platform's decoders of pictures. */
export type LoadRuntime = ChoiceOptions['runtime'] & ImageRuntime & Partial<Pick<BrowserRuntime, 'wasm'>>;

/** The same with any set-up. */
export async function loadWith(
  runtime: LoadRuntime,
  { model, backend, remote }: PrepareJob,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<LoadedModel> {
  const parts = addedUp(onProgress);
  const [{ vision, files, tokenizerJson, tokenizerConfig, ...folder }] = await Promise.all([
    loadFiles(model, parts.files, { signal, runsElsewhere: remote !== undefined }),
    runtime.wasm === undefined ? undefined : fetchOnce(runtime.wasm, parts.runtime, signal),
  ]);
  signal?.throwIfAborted();
  onProgress({ phase: 'compile', done: 0, total: 1 });
  const config = readNetworkConfig(folder.config);
  const contextTokens = config.contextTokens ?? model.contextTokens;
  const tokenizer = readTokenizer(tokenizerJson, tokenizerConfig);
  const { vocabulary } = tokenizer;
  const options = { runtime, files, config: { ...config, contextTokens }, backend, vocabulary };
  const opened = remote
    ? openThere({ ...options, engine: remote })
    : writes(model)
      ? openUnchanged({ ...options, suffix: tokenizer.suffix }, model, folder)
      : openOnBestBackend(options);
  const network = finiteOnly(await opened.catch((error) => namingGraph(error, model, vision !== undefined)));
  onProgress({ phase: 'compile', done: 1, total: 1 });
  const loaded = { tokenizer, ...folder };
  if (!vision) return { network, ...loaded };
  const images = imagesOnDemand(runtime, vision, network);
  const release = async () => {
    await images.release();
    await network.release();
  };
  return { network: { ...network, release }, ...loaded, images: images.open };
}

/** As `openExported`, which is loaded when such a model is: it brings a library of a megabyte along. */
async function openUnchanged(
  { runtime, files, config, backend, vocabulary, suffix }: ChoiceOptions & { readonly suffix: readonly number[] },
  model: PrepareJob['model'],
  folder: Pick<FolderFiles, 'config' | 'generation'>,
): Promise<Network> {
  const { openExported } = await import('../session/exported/open-exported.ts');
  const { dtype, reason = '' } = model;
  const { encoder, ...decoder } = files;
  const graph = (name: string, of: GraphFiles) => ({ ...of, name, path: graphPath(name, dtype) });
  return openExported({
    ...{
      dtype,
      backend,
      suffix,
      config: folder.config,
      generation: folder.generation?.config ?? {},
      keptBecause: reason,
    },
    graphs: [graph(graphNameIn(model.files, false), decoder), ...(encoder ? [graph('encoder_model', encoder)] : [])],
    contextTokens: config.contextTokens ?? model.contextTokens,
    headSize: config.headSize,
    vocabulary,
    threads: runtime.threads,
  });
}

/** Loaded when an engine is asked for, which is rare. */
async function openThere(options: Omit<RemoteOptions, 'digest' | 'dataDigests'>): Promise<Network> {
  const { openRemotely } = await import('../remote/open-remote.ts');
  const { model, external, dataElsewhere = [] } = options.files;
  const held = external.map(async ({ path, data }) => ({ file: path, sha256: await digestOf(data) }));
  const dataDigests = [...(await Promise.all(held)), ...dataElsewhere];
  return openRemotely({ ...options, digest: await digestOf(model), dataDigests });
}

/** A network that is refused: people need to know which file to replace. */
function namingGraph(error: unknown, { dtype, files }: PrepareJob['model'], readsImages: boolean): never {
  if (!(error instanceof FailureError) || error.failure.code !== 'MODEL_UNAVAILABLE') throw error;
  if (/^(config|tokenizer)\.json/.test(error.message)) throw error;
  const path = graphPath(graphNameIn(files, readsImages), dtype);
  throw new FailureError('MODEL_UNAVAILABLE', `${path}: ${error.message}`);
}

const fetched = new Set<string>();

/**
 * Fetches ONNX Runtime's WebAssembly into the browser's cache, from where it is compiled when the first session is opened.
 * ONNX Runtime would fetch it by itself, but neither tell how far it is nor notice a connection that stalls.
 *
 * @throws as `download`
 */
async function fetchOnce(url: string, onBytes: OnBytes, signal?: AbortSignal): Promise<void> {
  if (fetched.has(url)) return;
  await download(url, { onBytes, signal });
  fetched.add(url);
}

/** One progress of the folder's files and of the runtime; where one of them does not say how large it is, neither does the sum. */
function addedUp(onProgress: OnProgress) {
  let files = { done: 0, total: 0 };
  let runtime = { done: 0, total: 0 };
  const tell = () => {
    const isKnown = files.done <= files.total && runtime.done <= runtime.total;
    const total = isKnown ? files.total + runtime.total : 0;
    onProgress({ phase: 'download', done: files.done + runtime.done, total });
  };
  return {
    files: (progress: JobProgress) => ((files = progress), tell()),
    runtime: (done: number, total: number) => ((runtime = { done, total }), tell()),
  };
}
