// @ts-check
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { beside } from '../beside.mjs';

/**
 * Tokens per second of `/complete` over those of transformers.js: the same network of random weights, prompt, threads and build
 * of ONNX Runtime, both in a worker of one page, by turns.
 *
 *     npm run bench:generation -- --rounds 5 --tokens 200
 *
 * `--transformers DIR` measures another version: DIR is its unpacked package, as `npm pack @huggingface/transformers@VERSION` gives it.
 */
const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { transformers: text, rounds: text, tokens: text } });
const lengths = (values.tokens ?? '32,96,200').split(',').map(Number);
const rounds = Number(values.rounds ?? 8);
const PROMPT =
  'The old house by the river was empty, and nobody in the village knew who had lived there before the war.';

await beside({ name: 'generation', transformers: values.transformers, writeModel }, async (call, folder) => {
  const rows = [];
  for (const tokens of lengths) rows.push(await call(folder, PROMPT, tokens, rounds));
  console.table(rows.map((row) => ({ ...row, ratio: row.ratio.toFixed(2) })));
});

/**
 * A Llama of random weights with the embedded model's tokenizer, in the hub's layout.
 *
 * @param {string} folder
 */
async function writeModel(folder) {
  /** @type {{ module: typeof import('../../../test/support/onnx/decoder.ts') }} */
  const { module } = await runnerImport('./test/support/onnx/decoder.ts');
  const { layers, width, heads, keyHeads, headSize, innerWidth, vocabulary, contextTokens } = module.BENCH_SIZES;
  writeFileSync(join(folder, 'onnx/model.onnx'), module.randomDecoder(1));
  for (const name of ['tokenizer.json', 'tokenizer_config.json'])
    copyFileSync(join('public/models/lightwell-base', name), join(folder, name));
  const marks = { bos_token_id: 0, eos_token_id: 0, pad_token_id: 0 };
  const config = {
    ...{ architectures: ['LlamaForCausalLM'], model_type: 'llama', ...marks },
    ...{ num_hidden_layers: layers, hidden_size: width, num_attention_heads: heads, num_key_value_heads: keyHeads },
    ...{ head_dim: headSize, intermediate_size: innerWidth, vocab_size: vocabulary },
    max_position_embeddings: contextTokens,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'generation_config.json'), JSON.stringify(marks));
}
