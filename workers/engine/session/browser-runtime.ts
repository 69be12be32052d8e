import runtimeUrl from 'onnxruntime-web/webgpu?url';
import asyncifyLoaderUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import asyncifyWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import jspiLoaderUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url';
import jspiWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import * as ort from 'onnxruntime-web/webgpu';
import { runtimeBuild, runtimeFile } from '../../../src/protocol/page/runtime-builds.ts';
import type { Ort } from './session.ts';

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
 * Sets ONNX Runtime up: its two files come from this origin (it would look next to its script, which the build moves),
 * threads only where shared memory is allowed.
 *
 * @param folder  holds both builds' files under the names they have in the package, ends in a slash; left out: this site's
 */
export function browserRuntime(folder?: string): BrowserRuntime {
  return setUp(ort, threadsOf(self, navigator.hardwareConcurrency), folder);
}

/**
 * The same on a number of threads that the user has set. ONNX Runtime reads that number once, so another number gets an ONNX
 * Runtime of its own: a module is evaluated again for a URL with another fragment, and its file is fetched once. A page that
 * cannot have threads stays on one thread.
 */
export async function browserRuntimeOn(threads: number, folder?: string): Promise<BrowserRuntime> {
  const usual = threadsOf(self, navigator.hardwareConcurrency);
  if (usual.threads === 1) return browserRuntime(folder);
  const set = { threads, threadReason: `${threads} as set` };
  if (threads === usual.threads) return setUp(ort, set, folder);
  const separate = (await import(/* @vite-ignore */ `${absolute(runtimeUrl)}#${threads}`)) as typeof ort;
  return setUp(separate, set, folder);
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

/** Built URLs are relative to the site's root; threads resolve them from their own blob. */
function absolute(url: string): string {
  return new URL(url, self.location.href).href;
}

/** WebAssembly threads of a page. */
export interface Threads {
  readonly threads: number;
  /** Why this number, for people. */
  readonly threadReason: string;
}

/** More threads gain little on networks that fit a page, and take cores from the page itself. */
const MAX_THREADS = 4;

/**
 * How many WebAssembly threads a page can have, and why. They share memory, which needs cross-origin isolation and the
 * browser's support: WebKitGTK isolates pages and has no `SharedArrayBuffer`.
 */
export function threadsOf(
  scope: { readonly crossOriginIsolated: boolean; readonly SharedArrayBuffer?: unknown },
  cores: number,
): Threads {
  if (!scope.crossOriginIsolated)
    return { threads: 1, threadReason: 'one thread: the page is not cross-origin isolated' };
  if (scope.SharedArrayBuffer === undefined)
    return { threads: 1, threadReason: 'one thread: this browser has no shared memory (SharedArrayBuffer)' };
  const threads = Math.min(MAX_THREADS, cores);
  return { threads, threadReason: `${threads} of ${cores} cores` };
}
