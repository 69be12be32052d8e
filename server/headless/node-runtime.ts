import * as ort from 'onnxruntime-web/webgpu';
import type { LoadRuntime } from '../../workers/engine/loading/load-model.ts';
import type { Ort } from '../../workers/engine/session/session.ts';
import { decodeFile } from './decode-picture.ts';

/** ONNX Runtime of a thread. */
export interface RuntimeOptions {
  readonly threads: number;
  /** Addresses of the loader of ONNX Runtime's WebAssembly, and of the WebAssembly. */
  readonly wasmPaths: { readonly mjs: string; readonly wasm: string };
}

/** The functions of `onnxruntime-node` that are used. */
interface NativeRuntime extends Ort {
  /** Tells the package from others that are installed under its name. */
  readonly listSupportedBackends: () => unknown;
}

/** ONNX Runtime for a thread of Node: `onnxruntime-node` where it is installed beside this package, else WebAssembly. */
export async function openRuntime({ threads, wasmPaths }: RuntimeOptions): Promise<LoadRuntime> {
  ort.env.wasm.wasmPaths = wasmPaths;
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const native = await findNative();
  const threadReason = `${threads} for each worker${native ? ', onnxruntime-node' : ''}`;
  return { ort: native ? onProcessor(native, threads) : ort, threads, threadReason, decode: decodeFile };
}

async function findNative(): Promise<NativeRuntime | undefined> {
  const name = 'onnxruntime-node'; // not bundled: it holds machine code
  try {
    const found = (await import(name)) as Partial<NativeRuntime>;
    return found.listSupportedBackends ? (found as NativeRuntime) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The native runtime, whose name for the processor is another one than that of WebAssembly. */
function onProcessor({ Tensor, InferenceSession }: NativeRuntime, threads: number): Ort {
  const settings = { executionProviders: ['cpu'], intraOpNumThreads: threads };
  return {
    Tensor,
    InferenceSession: { create: (model, options) => InferenceSession.create(model, { ...options, ...settings }) },
  };
}
