import { env } from '@huggingface/transformers';
import * as runtime from 'onnxruntime-web/webgpu';
import { browserRuntime } from '../../workers/engine/session/browser-runtime.ts';

/** Sets transformers.js up for this worker: both sides run the same build of ONNX Runtime with as many threads. */
export function setUpLibrary(): void {
  const { threads } = browserRuntime(); // the library's import of the runtime is the same module
  Object.assign(env.backends.onnx, {
    wasm: { ...env.backends.onnx.wasm, wasmPaths: runtime.env.wasm.wasmPaths, numThreads: threads },
  });
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useBrowserCache = false;
  env.useWasmCache = false; // it would import the loader from a blob, which the page's policy forbids
}

/** What the library calls a folder of this site. */
export function nameOf(folder: string): string {
  const { pathname } = new URL(folder);
  env.localModelPath = pathname.slice(0, pathname.lastIndexOf('/', pathname.length - 2) + 1);
  return pathname.slice(env.localModelPath.length, -1);
}

/** Answers each message by what `run` makes of it. */
export function answerWith<Asked, Told>(run: (asked: Asked) => Promise<Told>): void {
  self.onmessage = async ({ data }: MessageEvent<Asked>) => {
    try {
      self.postMessage({ ok: true, value: await run(data) });
    } catch (error) {
      self.postMessage({ ok: false, message: String(error) });
    }
  };
}
