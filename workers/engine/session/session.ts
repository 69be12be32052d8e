import { isOutOfMemory, outOfMemory, threadHeartbeats } from '../device/guard.ts';
import { fromHalf } from '../../../src/formats/safetensors.ts';
import type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { FailureError, messageOf } from '../../../src/contract/failure.ts';
import type { FileDigest } from '../codec/data-files.ts';
import type * as Runtime from 'onnxruntime-web/webgpu';

/** The part of ONNX Runtime that the engine uses. The page's worker and the tests set it up differently; a remote engine implements it. */
export interface Ort {
  readonly Tensor: typeof Runtime.Tensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options?: InferenceSession.SessionOptions): Promise<Session>;
  };
}

/** An open graph. */
export interface Session {
  readonly inputNames: readonly string[];
  /** @param options.signal  ends a run that waits for another machine; a pass on this one runs to its end */
  run(
    feeds: Readonly<Record<string, Tensor>>,
    fetches: readonly string[],
    options?: InferenceSession.RunOptions & { readonly signal?: AbortSignal | undefined },
  ): Promise<Fetched>;
  release(): Promise<void>;
}

/** Tensors by graph output. */
export type Fetched = Readonly<Record<string, Tensor>>;

export type { Tensor } from 'onnxruntime-web/webgpu';

/** A graph as it was downloaded. */
export interface GraphFiles {
  /** The `.onnx` file. */
  readonly model: Uint8Array;
  /** Its `.onnx_data` files, if it has any. */
  readonly external: readonly {
    /** By which the model file refers to it. */
    readonly path: string;
    readonly data: Uint8Array | TensorData;
  }[];
}

/** Weights of a file that is not in memory as a whole: `subarray` gives those of one tensor. */
export interface TensorData extends Uint8Array {
  /** Number of bytes of each tensor, by its first byte. */
  readonly tensors: ReadonlyMap<number, number>;
  /** Opens a session that takes each tensor once; what it has copied is freed. */
  openWith<Value>(open: () => Promise<Value>): Promise<Value>;
}

/** Bytes of a graph and its data files. */
export function bytesOfGraph({ model, external }: GraphFiles): number {
  return external.reduce((sum, { data }) => sum + data.byteLength, model.byteLength);
}

/** A network as it was downloaded. */
export interface ModelFiles extends GraphFiles {
  /** Table of word embeddings, of a network that is fed embeddings. */
  readonly embedTokens?: GraphFiles;
  /** The encoder that reads the prompt, where the network has one. */
  readonly encoder?: GraphFiles;
  /** SHA-256 of the data files that the model names, where its passes run elsewhere and the files are not here. */
  readonly dataElsewhere?: readonly FileDigest[];
}

/** Where a session is to run. */
export type SessionDevice =
  | { readonly kind: 'wasm' }
  | { readonly kind: 'webgpu'; readonly device: GPUDevice }
  /** Elsewhere: `ort` is then a remote engine. */
  | { readonly kind: 'remote' };

/** Weights that a slow machine reads in a millisecond as it opens a session: a fifth of what was measured here. */
const OPENED_BYTES_PER_MS = 2 ** 15;

/** The first session of a thread loads and compiles ONNX Runtime's WebAssembly, and starts its threads. */
const RUNTIME_MS = 10_000;
let isRuntimeOpen = false;

/** Tells the thread's heartbeats how long it will be silent while it opens a file of this size. */
export function announceOpening(bytes: number): void {
  threadHeartbeats.beat(bytes / OPENED_BYTES_PER_MS + (isRuntimeOpen ? 0 : RUNTIME_MS));
}

/** ONNX Runtime's WebAssembly has failed to start, which it tries once in the life of a thread: a new worker is needed. */
const NOT_STARTED = /no available backend found. ERR: \[wasm\]/;

/**
 * ONNX Runtime's message for weights that do not fit their shapes. Weights are checked before, so its memory is damaged: it
 * copies an input to address 0 where `malloc` has failed. A new worker is needed.
 */
const DAMAGED = /model format error!/;

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
  announceOpening(bytesOfGraph({ model, external }));
  try {
    const open = external.reduce(
      (next, { data }) => ('openWith' in data ? () => data.openWith(next) : next),
      () => ort.InferenceSession.create(model, options),
    );
    const session = await open();
    isRuntimeOpen = true;
    return session;
  } catch (error) {
    if (error instanceof FailureError) throw error; // a remote engine names the cause itself
    if (error instanceof WebAssembly.RuntimeError) throw error; // the runtime is broken, with any graph
    const cause = messageOf(error);
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

/** The numbers of an output. 16-bit floats come as their bits, or as numbers in a `Float16Array` where the browser has one. */
export function floatsOfOutput(name: string, data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  if (!ArrayBuffer.isView(data) || data.byteLength % 2)
    throw new TypeError(`output ${name} is missing or has no floats`);
  return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), fromHalf);
}

/** The values of a float32 output. */
export async function valuesOf(fetched: Fetched, name: string): Promise<Float32Array> {
  const data = await fetched[name]?.getData(true);
  if (!(data instanceof Float32Array)) throw new TypeError(`output ${name} is missing or not float32`);
  return data;
}

/** Runs tasks one at a time, in order of arrival. */
export type RunQueue = <Value>(task: () => Promise<Value>) => Promise<Value>;

/** A new queue. A task that fails does not stop those after it. */
export function createRunQueue(): RunQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}

/** The queue of this thread's ONNX Runtime: its sessions share a WebAssembly instance, which runs one at a time. */
export const runtimeQueue: RunQueue = createRunQueue();
