// @ts-check
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';

/**
 * A Llama of random weights with the embedded model's tokenizer, in the hub's layout.
 *
 * @param {string} folder
 */
export async function writeRandomLlama(folder) {
  /** @type {{ module: typeof import('../../test/support/onnx/decoder.ts') }} */
  const { module } = await runnerImport('./test/support/onnx/decoder.ts');
  const { layers, width, heads, keyHeads, headSize, innerWidth, vocabulary, contextTokens } = module.BENCH_SIZES;
  writeFileSync(join(folder, 'onnx/model.onnx'), module.randomDecoder(1));
  for (const name of ['tokenizer.json', 'tokenizer_config.json'])
    copyFileSync(join('public/models/lightwell-base', name), join(folder, name));
  const marks = { bos_token_id: 0, eos_token_id: 0, pad_token_id: 0 };
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    ...marks,
    num_hidden_layers: layers,
    hidden_size: width,
    num_attention_heads: heads,
    num_key_value_heads: keyHeads,
    head_dim: headSize,
    intermediate_size: innerWidth,
    vocab_size: vocabulary,
    max_position_embeddings: contextTokens,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'generation_config.json'), JSON.stringify(marks));
}
