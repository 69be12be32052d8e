import { AutoModelForCausalLM, env, Tensor } from '@huggingface/transformers';
import { llamaConfig } from '../networks/llama-config.ts';
import { setUpLibrary } from '../networks/library.ts';
import type { RandomNetwork } from '../models.ts';

/** A network whose file is written for the measurement. */
export type Written = Required<Pick<RandomNetwork, 'sizes' | 'storedAs'>>;

/**
 * A decoder in transformers.js on the GPU that this thread's ONNX Runtime has. Its files are given to the library as what a cache holds.
 *
 * @returns `write`, which continues the ids greedily by a number of tokens, and `release`, which frees the network
 */
export async function libraryWriter(model: Uint8Array, { sizes, storedAs }: Written, ids: readonly number[]) {
  setUpLibrary();
  const config = new TextEncoder().encode(JSON.stringify(llamaConfig(sizes)));
  const files = new Map<string, Uint8Array>([
    ['config.json', config],
    ['generation_config.json', new TextEncoder().encode('{}')],
    [storedAs === 'fp32' ? 'model.onnx' : `model_${storedAs}.onnx`, model],
  ]);
  const match = async (path: string) => {
    const bytes = files.get(path.slice(path.lastIndexOf('/') + 1));
    return bytes && new Response(bytes.slice(), { headers: { 'content-length': String(bytes.length) } });
  };
  Object.assign(env, { useCustomCache: true, customCache: { match, put: async () => undefined } });
  const network = await AutoModelForCausalLM.from_pretrained('random', { dtype: storedAs, device: 'webgpu' });
  const whole = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const inputs = { input_ids: whole(ids), attention_mask: whole(ids.map(() => 1)) };
  return {
    write: (tokens: number) =>
      network.generate({ ...inputs, max_new_tokens: tokens, min_new_tokens: tokens, do_sample: false }),
    release: () => network.dispose(),
  };
}
