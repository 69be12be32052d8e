import { FailureError } from '../../../src/contract/failure.ts';
import type { PrepareJob } from '../../../src/protocol/model-job.ts';
import type { LoadedFolder } from '../engine.ts';
import { decodePicture } from '../images/decode-picture.ts';
import { imagesOnDemand, type ImageRuntime } from '../images/open-images.ts';
import { finiteOnly } from '../finite.ts';
import { browserRuntime } from '../session/browser-runtime.ts';
import { openOnBestBackend } from '../session/choose-backend.ts';
import type { ChoiceOptions } from '../session/open-tested.ts';
import { type OnProgress, loadFiles } from './model-files.ts';
import { readNetworkConfig } from '../analysis/network-config.ts';

/** Loads a hub-layout folder in the browser. @throws {FailureError} NO_WEBASSEMBLY; and as `loadFiles` and `openOnBestBackend` */
export async function loadFolder(
  wanted: PrepareJob,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<LoadedFolder> {
  if (!('WebAssembly' in self))
    throw new FailureError(
      'NO_WEBASSEMBLY',
      'expected a browser with WebAssembly, got one without or with it switched off',
    );
  return loadWith({ ...browserRuntime(wanted.wasmUrl), decode: decodePicture }, wanted, onProgress, signal);
}

/** What a folder is loaded with: ONNX Runtime as it is set up here, and the platform's decoders of pictures. */
export type LoadRuntime = ChoiceOptions['runtime'] & ImageRuntime;

/** The same with any set-up. */
export async function loadWith(
  runtime: LoadRuntime,
  { model, backend }: PrepareJob,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<LoadedFolder> {
  const { vision, files, ...folder } = await loadFiles(model, onProgress, signal);
  signal?.throwIfAborted();
  onProgress({ phase: 'compile', done: 0, total: 1 });
  const config = readNetworkConfig(folder.config);
  const contextTokens = config.contextTokens ?? model.contextTokens;
  const network = finiteOnly(
    await openOnBestBackend({ runtime, files, config: { ...config, contextTokens }, backend }),
  );
  onProgress({ phase: 'compile', done: 1, total: 1 });
  return { network, ...folder, ...(vision && { images: imagesOnDemand(runtime, vision, network) }) };
}
