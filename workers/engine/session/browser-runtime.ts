import runtimeUrl from 'onnxruntime-web/webgpu?url';
import asyncifyLoaderUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import asyncifyWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import jspiLoaderUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url';
import jspiWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import type { ChosenThreads } from '../../../src/protocol/model-job.ts';
import { runtimeBuild, runtimeFile } from '../../../src/protocol/page/runtime-builds.ts';
import type { Ort } from './session.ts';
import { threadsOf, type Threads } from '../device/threads.ts';

import * as ort from 'onnxruntime-web/webgpu';

/** ONNX Runtime, set up for this page. */
export interface BrowserRuntime extends Threads {
  readonly ort: Ort;
  /** Address of the WebAssembly, which ONNX Runtime fetches by itself when the first session is opened. */
  readonly wasm: string;
}

/** One script drives both builds: they differ in loader and WebAssembly. */
const URLS = {
  jspi: { mjs: jspiLoaderUrl, wasm: jspiWasmUrl },
  asyncify: { mjs: asyncifyLoaderUrl, wasm: asyncifyWasmUrl },
};

/**
 * Sets ONNX Runtime up: its two files come from this origin (it would look beside its own script, which the build moves),
 * threads only where shared memory is allowed.
 *
 * @param folder  holds both builds' files under the names they have in the package, ends in a slash; left out: this site's
 */
export function browserRuntime(folder?: string): BrowserRuntime {
  return setUp(ort, threadsOf(self, navigator.hardwareConcurrency), folder);
}

/**
 * The same on a chosen number of threads. ONNX Runtime takes that number once, so that another than the usual one gets an ONNX
 * Runtime of its own: a module is evaluated again for an address with another fragment, and its file is fetched once. A page
 * that has one thread stays with that.
 */
export async function browserRuntimeOn({ count, why }: ChosenThreads, folder?: string): Promise<BrowserRuntime> {
  const usual = threadsOf(self, navigator.hardwareConcurrency);
  if (usual.threads === 1) return browserRuntime(folder);
  const chosen = { threads: count, threadReason: why };
  if (count === usual.threads) return setUp(ort, chosen, folder);
  const own = (await import(/* @vite-ignore */ `${absolute(runtimeUrl)}#${count}`)) as typeof ort;
  return setUp(own, chosen, folder);
}

function setUp(runtime: typeof ort, { threads, threadReason }: Threads, folder?: string): BrowserRuntime {
  const build = runtimeBuild();
  const at = (ending: 'mjs' | 'wasm') =>
    absolute(folder === undefined ? URLS[build][ending] : folder + runtimeFile(build, ending));
  runtime.env.wasm.wasmPaths = { mjs: at('mjs'), wasm: at('wasm') };
  runtime.env.wasm.numThreads = threads;
  runtime.env.logLevel = 'error';
  return { ort: runtime, threads, threadReason, wasm: at('wasm') };
}

/** Built URLs are relative to the site's root; threads resolve them from a blob of their own. */
function absolute(url: string): string {
  return new URL(url, self.location.href).href;
}
