import { openOnBestBackend, type OpenTestedOptions } from '../session/open-network.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { JobProgress } from '../../../src/protocol/messages.ts';
import type { PrepareJob } from '../../../src/protocol/model-job.ts';
import { readNetworkConfig } from '../analysis/network-inputs.ts';
import type { LoadedModel } from '../engine.ts';
import type { imagesOnDemand } from '../images/image-reader.ts';
import { refusedIfEndless } from '../device/guard.ts';
import { finiteOnly, type Network, refuse } from '../network.ts';
import { browserRuntime, type BrowserRuntime, browserRuntimeOn } from '../session/browser-runtime.ts';
import { type FolderFiles, graphNameIn, graphPath, loadFiles, runsAsExported } from './model-files.ts';
import { createTokenizer } from './tokenizer.ts';

/** Loads a hub-layout folder in the browser. @throws {FailureError} NO_WEBASSEMBLY; and as `loadFiles`, `openOnBestBackend`, `openRemotely` */
export async function loadFolder(
  wanted: PrepareJob,
  onProgress: (progress: JobProgress) => void,
): Promise<LoadedModel> {
  if (!('WebAssembly' in self))
    throw new FailureError(
      'NO_WEBASSEMBLY',
      'expected a browser with WebAssembly, got one without or with it switched off',
    );
  const { model, threads, wasmUrl } = wanted;
  // Models that transformers.js runs share its ONNX Runtime, and so its number of threads.
  const isSet = threads !== undefined && !runsAsExported(model);
  const runtime = isSet ? await browserRuntimeOn(threads, wasmUrl) : browserRuntime(wasmUrl);
  return loadWith(runtime, wanted, onProgress);
}

/** ONNX Runtime as it is set up here, and decoders of pictures where they are not the browser's. */
export type LoadRuntime = OpenTestedOptions['runtime'] &
  Parameters<typeof imagesOnDemand>[0] &
  Partial<Pick<BrowserRuntime, 'wasm'>>;

/** The same with any set-up. */
export async function loadWith(
  runtime: LoadRuntime,
  wanted: PrepareJob,
  onProgress: (progress: JobProgress) => void,
  signal?: AbortSignal,
): Promise<LoadedModel> {
  const options = { signal, runsElsewhere: wanted.remote !== undefined, wasm: runtime.wasm };
  const folder = await loadFiles(wanted.model, onProgress, options);
  signal?.throwIfAborted();
  const onStep = (done: number) => onProgress({ phase: 'compile', done, total: 2 });
  onStep(0);
  const opened = await refusedIfEndless('be opened', () => openFolder(runtime, wanted, folder, () => onStep(1)));
  onStep(2);
  return opened;
}

async function openFolder(
  runtime: LoadRuntime,
  { model, backend, remote, steering }: PrepareJob,
  folder: FolderFiles,
  onTest: () => void,
): Promise<LoadedModel> {
  const { vision, files, tokenizerJson, tokenizerConfig, ...rest } = folder;
  const pictures = vision && (await import('../images/image-reader.ts'));
  const tokenizer = createTokenizer(tokenizerJson, tokenizerConfig);
  const config = readNetworkConfig(folder.config);
  const network = await openNetwork(folder, model, remote, {
    runtime,
    files,
    backend,
    onTest,
    config: {
      ...config,
      contextTokens: config.contextTokens ?? model.contextTokens,
      wantsSteering: steering !== undefined,
    },
    vocabulary: tokenizer.vocabulary,
    suffix: tokenizer.suffix,
  }).catch((error: unknown) => throwNamingGraph(error, model, 'vision_config' in folder.config));
  const loaded = { tokenizer, ...rest };
  const finite = finiteOnly(network);
  if (!vision || !pictures) return { network: finite, ...loaded };
  const images = pictures.imagesOnDemand(runtime, vision, network);
  const release = async () => {
    await images.release();
    await network.release();
  };
  return { network: { ...finite, release }, ...loaded, images: images.open };
}

/** Code that few models need is loaded with them. */
async function openNetwork(
  folder: FolderFiles,
  model: PrepareJob['model'],
  remote: PrepareJob['remote'],
  options: OpenTestedOptions & { readonly suffix: readonly number[] },
): Promise<Network> {
  if (remote) {
    const { openRemotely } = await import('../remote/open-remote.ts');
    return openRemotely({ ...options, engine: remote });
  }
  if (!runsAsExported(model)) return openOnBestBackend(options);
  const { openExported } = await import('../exported/open-exported.ts');
  const { files, config, runtime, ...rest } = options;
  const { encoder, ...decoder } = files;
  const graph = (name: string, of: typeof decoder) => ({ ...of, name, path: graphPath(name, model.dtype) });
  return openExported({
    ...rest,
    dtype: model.dtype,
    config: folder.config,
    generation: folder.generation?.config ?? {},
    keptBecause: model.reason ?? '',
    graphs: [graph(graphNameIn(model.files, false), decoder), ...(encoder ? [graph('encoder_model', encoder)] : [])],
    contextTokens: config.contextTokens ?? model.contextTokens,
    headSize: config.headSize,
    threads: runtime.threads,
  });
}

/** Adds the path of the graph to a refusal: people need to know which file to replace. */
function throwNamingGraph(error: unknown, { dtype, files }: PrepareJob['model'], readsImages: boolean): never {
  if (!(error instanceof FailureError) || error.failure.code !== 'MODEL_UNAVAILABLE') throw error;
  if (/^(config|tokenizer)\.json/.test(error.message)) throw error;
  return refuse(`${graphPath(graphNameIn(files, readsImages), dtype)}: ${error.message}`);
}
