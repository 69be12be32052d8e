import { AutoModelForCausalLM, AutoTokenizer, env, Tensor } from '@huggingface/transformers';
import * as runtime from 'onnxruntime-web/webgpu';
import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { browserRuntime } from '../../../workers/engine/session/browser-runtime.ts';
import type { Asked, Written } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);

// Both sides run the same build of ONNX Runtime with as many threads: the two imports are one module.
const { threads } = browserRuntime();
Object.assign(env.backends.onnx, {
  wasm: { ...env.backends.onnx.wasm, wasmPaths: runtime.env.wasm.wasmPaths, numThreads: threads },
});
env.allowRemoteModels = false;
env.allowLocalModels = true;
env.useBrowserCache = false;
env.useWasmCache = false; // it would import the loader from a blob, which the page's policy forbids

let loaded: ReturnType<typeof load> | undefined;

async function load(folder: string) {
  const { pathname } = new URL(folder);
  env.localModelPath = pathname.slice(0, pathname.lastIndexOf('/', pathname.length - 2) + 1);
  const name = pathname.slice(env.localModelPath.length, -1);
  const model = await AutoModelForCausalLM.from_pretrained(name, { dtype: 'fp32', device: 'wasm' });
  return { model, tokenizer: await AutoTokenizer.from_pretrained(name) };
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  try {
    self.postMessage({ ok: true, value: await write(data) });
  } catch (error) {
    self.postMessage({ ok: false, message: String(error) });
  }
};

async function write({ folder, prompt, tokens }: Asked): Promise<Written> {
  const { model, tokenizer } = await (loaded ??= load(folder));
  const began = performance.now();
  const inputs = tokenizer(prompt);
  const output = await model.generate({ ...inputs, max_new_tokens: tokens, min_new_tokens: tokens, do_sample: false });
  if (!(output instanceof Tensor)) throw new TypeError('expected ids, got no tensor');
  const ids = Array.from(output.data as ArrayLike<number | bigint>, Number).slice(inputs.input_ids.dims[1]);
  const text = tokenizer.decode(ids);
  return { text, tokens: ids.length, ms: performance.now() - began };
}
