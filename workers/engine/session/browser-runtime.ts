import loaderUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import type { Ort } from './session.ts';
import { threadsOf, type Threads } from '../device/threads.ts';

import * as ort from 'onnxruntime-web/webgpu';

/** ONNX Runtime, set up for this page. */
export interface BrowserRuntime extends Threads {
  readonly ort: Ort;
  /** Address of the WebAssembly, which ONNX Runtime fetches by itself when the first session is opened. */
  readonly wasm: string;
}

const WASM_FILE = 'ort-wasm-simd-threaded.asyncify.wasm';

/**
 * Sets ONNX Runtime up: its two files come from this origin (it would look beside its own script, which the build moves),
 * threads only where shared memory is allowed.
 *
 * @param folder  holds the two files under the names they have in the package, ends in a slash; left out: this build's
 */
export function browserRuntime(folder?: string): BrowserRuntime {
  const { threads, threadReason } = threadsOf(self, navigator.hardwareConcurrency);
  ort.env.wasm.wasmPaths =
    folder === undefined ? { mjs: absolute(loaderUrl), wasm: absolute(wasmUrl) } : absolute(folder);
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return { ort, threads, threadReason, wasm: folder === undefined ? absolute(wasmUrl) : absolute(folder) + WASM_FILE };
}

/** Built URLs are relative to the site's root; threads resolve them from a blob of their own. */
function absolute(url: string): string {
  return new URL(url, self.location.href).href;
}
