import { FailureError } from '../../src/contract/failure.ts';
import { ORIGINAL_FILE, type NetworkPlan } from './graph/rewrite.ts';
import type { InferenceSession, Ort } from './runtime-types.ts';

/** A data file that the model file refers to by `path`. */
export interface ExternalFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** A model as it was downloaded. */
export interface ModelFiles {
  /** The `.onnx` file. */
  readonly model: Uint8Array;
  /** Its `.onnx_data` files, if it has any. */
  readonly external: readonly ExternalFile[];
}

/** Where a session is to run. */
export type SessionDevice = { readonly kind: 'wasm' } | { readonly kind: 'webgpu'; readonly device: GPUDevice };

/**
 * Creates the session of a rewritten network. Weights are read from the original file's bytes; retained keys and values
 * stay on the GPU.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with ONNX Runtime's own message
 */
export async function createSession(
  ort: Ort,
  plan: NetworkPlan,
  files: ModelFiles,
  on: SessionDevice,
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: [on.kind === 'wasm' ? 'wasm' : { name: 'webgpu', device: on.device }],
    externalData: [{ path: ORIGINAL_FILE, data: files.model }, ...files.external],
    logSeverityLevel: 3, // errors; the builder's own placement notes are warnings
  };
  if (on.kind === 'webgpu')
    options.preferredOutputLocation = Object.fromEntries(plan.cache.map(({ output }) => [output, 'gpu-buffer']));
  try {
    return await ort.InferenceSession.create(plan.skeleton, options);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `ONNX Runtime cannot open the network on ${on.kind}: ${cause}`);
  }
}
