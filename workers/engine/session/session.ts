import type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { FailureError } from '../../../src/contract/failure.ts';
import type { FileDigest } from '../codec/data-files.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import { isOutOfMemory, outOfMemory } from '../device/memory.ts';
import { threadPulse } from '../device/pulse.ts';

import type * as Runtime from 'onnxruntime-web/webgpu';

/** What of ONNX Runtime the engine uses: the page's worker and the tests set it up differently, and an engine elsewhere has its form. */
export interface Ort {
  readonly Tensor: typeof Runtime.Tensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options?: InferenceSession.SessionOptions): Promise<Session>;
  };
}

/** An open graph. */
export interface Session {
  readonly inputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>, fetches: readonly string[], options?: RunSignal): Promise<Fetched>;
  release(): Promise<void>;
}

/** Ends a run that waits for another machine. A pass on this one is not broken off. */
export interface RunSignal extends InferenceSession.RunOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Tensors by graph output. */
export type Fetched = Readonly<Record<string, Tensor>>;

export type { Tensor } from 'onnxruntime-web/webgpu';

/** A data file that the model file refers to by `path`. */
export interface ExternalFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** A graph as it was downloaded. */
export interface GraphFiles {
  /** The `.onnx` file. */
  readonly model: Uint8Array;
  /** Its `.onnx_data` files, if it has any. */
  readonly external: readonly ExternalFile[];
}

/** A network as it was downloaded. */
export interface ModelFiles extends GraphFiles {
  /** Table of word embeddings, of a network that is fed embeddings. */
  readonly embedTokens?: GraphFiles;
  /** What reads the prompt, of a network with an encoder of its own. */
  readonly encoder?: GraphFiles;
  /** Set where the data files that the model names are not held, because its passes run elsewhere: their SHA-256. */
  readonly dataElsewhere?: readonly FileDigest[];
}

/** Where a session is to run. */
export type SessionDevice =
  | { readonly kind: 'wasm' }
  | { readonly kind: 'webgpu'; readonly device: GPUDevice }
  /** Elsewhere: `ort` is then a runtime of ONNX Runtime's form over an engine. */
  | { readonly kind: 'remote' };

/**
 * Creates the session of a rewritten network. Weights are read from the original file's bytes; the KV cache stays on the GPU.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with ONNX Runtime's own message
 */
export async function createSession(
  ort: Ort,
  plan: NetworkPlan,
  files: ModelFiles,
  on: SessionDevice,
): Promise<Session> {
  const external = [{ path: ORIGINAL_FILE, data: files.model }, ...files.external];
  const staying = plan.kvCache.map(({ output }) => output);
  return openSession(ort, { model: plan.skeleton, external }, on, { staying, onProcessor: plan.onProcessor });
}

/** Weights that a slow machine reads in a millisecond as it opens a session: a fifth of what was measured here. */
const OPENED_BYTES_PER_MS = 2 ** 15;

/** The first session of a thread loads and compiles ONNX Runtime's WebAssembly, and starts its threads. */
const RUNTIME_MS = 10_000;
let isRuntimeOpen = false;

/** Says how long the thread will be silent while it opens so many bytes. */
export function announceOpening(bytes: number): void {
  threadPulse.beat(bytes / OPENED_BYTES_PER_MS + (isRuntimeOpen ? 0 : RUNTIME_MS));
}

/** ONNX Runtime's WebAssembly has failed to start, which it tries once in the life of a thread: a new worker is needed. */
const NOT_STARTED = /no available backend found. ERR: \[wasm\]/;

/**
 * What ONNX Runtime says of weights that do not fit their shapes. Weights are checked before, so its memory is damaged: it
 * copies an input to address 0 where `malloc` has failed. A new worker is needed.
 */
const DAMAGED = /model format error!/;

/** What counts on a GPU only. */
interface OnGpu {
  /** Outputs that stay in the GPU's memory. */
  readonly staying: readonly string[];
  /** Names of nodes that the processor computes. */
  readonly onProcessor: readonly string[];
}

/**
 * Opens a graph as it is.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE or OUT_OF_MEMORY with ONNX Runtime's own message
 * @throws {WebAssembly.RuntimeError} of a trap
 */
export async function openSession(
  ort: Ort,
  { model, external }: GraphFiles,
  on: SessionDevice,
  onGpu: OnGpu = { staying: [], onProcessor: [] },
): Promise<Session> {
  const options: InferenceSession.SessionOptions = {
    ...(on.kind === 'webgpu' ? gpuOptions(on.device, onGpu) : { executionProviders: [on.kind] }),
    externalData: [...external],
    logSeverityLevel: 3, // errors; notes on where operators run come as warnings
  };
  const bytes = external.reduce((sum, { data }) => sum + data.byteLength, model.byteLength);
  announceOpening(bytes);
  try {
    const session = await ort.InferenceSession.create(model, options);
    isRuntimeOpen = true;
    return session;
  } catch (error) {
    if (error instanceof FailureError) throw error; // an engine elsewhere says itself what is wrong
    if (error instanceof WebAssembly.RuntimeError) throw error; // the runtime is broken, whatever it was to open
    const cause = error instanceof Error ? error.message : String(error);
    if (NOT_STARTED.test(cause)) throw new FailureError('DEVICE_LOST', `ONNX Runtime did not start: ${cause}`);
    if (DAMAGED.test(cause)) throw new FailureError('DEVICE_LOST', `ONNX Runtime reads damaged weights: ${cause}`);
    if (isOutOfMemory(error)) throw outOfMemory(error);
    throw new FailureError('MODEL_UNAVAILABLE', `ONNX Runtime cannot open the network on ${on.kind}: ${cause}`);
  }
}

function gpuOptions(device: GPUDevice, { staying, onProcessor }: OnGpu): InferenceSession.SessionOptions {
  const named = onProcessor.length > 0 && { forceCpuNodeNames: onProcessor }; // ONNX Runtime refuses an empty list
  return {
    executionProviders: [{ name: 'webgpu', device, ...named }],
    preferredOutputLocation: Object.fromEntries(staying.map((output) => [output, 'gpu-buffer'])),
  };
}
