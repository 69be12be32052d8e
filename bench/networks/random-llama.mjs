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
  /** @type {{ module: typeof import('./llama-config.ts') }} */
  const { module: configs } = await runnerImport('./bench/networks/llama-config.ts');
  writeFileSync(join(folder, 'onnx/model.onnx'), module.randomDecoder(1));
  for (const name of ['tokenizer.json', 'tokenizer_config.json'])
    copyFileSync(join('public/models/lightwell-base', name), join(folder, name));
  const config = configs.llamaConfig(module.BENCH_SIZES);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const { bos_token_id, eos_token_id, pad_token_id } = config;
  writeFileSync(join(folder, 'generation_config.json'), JSON.stringify({ bos_token_id, eos_token_id, pad_token_id }));
}
