// @ts-check
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { beside } from '../beside.mjs';

/**
 * Time of `feature-extraction` of transformers.js over that of `/batch_semantic_embed`: the same network of MiniLM's shape with
 * random weights, 100 texts, threads and build of ONNX Runtime, both in a worker of one page, by turns.
 *
 *     npm run bench -- embeddings --rounds 3 --only equal
 *
 * `--transformers DIR` measures another version, see `npm run bench -- generation`.
 */
const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { transformers: text, rounds: text, only: text } });
const rounds = Number(values.rounds ?? 9);
const TEXTS = 100;
const LENGTHS = {
  equal: Array.from({ length: TEXTS }, () => 32),
  /** As many of 4 to 8 tokens as of 64 to 128, in no order. */
  mixed: Array.from({ length: TEXTS }, (_, index) => Math.round(4 * 32 ** (((index * 37) % TEXTS) / (TEXTS - 1)))),
};

await beside({ name: 'embeddings', transformers: values.transformers, writeModel }, async (call, folder) => {
  const rows = [];
  for (const [lengths, tokens] of Object.entries(LENGTHS).filter(([name]) => (values.only ?? name) === name))
    rows.push({ lengths, ...(await call(folder, tokens, rounds)) });
  console.table(
    rows.map(({ 'half of the ratios': half, ...row }) => ({
      ...row,
      ratio: row.ratio.toFixed(2),
      'half of the ratios': half.map((/** @type {number} */ ratio) => ratio.toFixed(2)).join(' to '),
      difference: row.difference.toExponential(1),
    })),
  );
});

/**
 * A BERT of random weights with a tokenizer of words, in the hub's layout.
 *
 * @param {string} folder
 */
async function writeModel(folder) {
  /** @type {{ module: typeof import('./bert.ts') }} */
  const { module } = await runnerImport('./bench/networks/embeddings/bert.ts');
  /** @type {{ module: typeof import('../../../test/support/files/word-tokenizer.ts') }} */
  const { module: words } = await runnerImport('./test/support/files/word-tokenizer.ts');
  const { layers, width, heads, innerWidth, vocabulary, contextTokens } = module.SIZES;
  writeFileSync(join(folder, 'onnx/model.onnx'), module.buildBert(module.SIZES));
  const written = {
    'tokenizer.json': words.wordTokenizer(vocabulary, true),
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: contextTokens,
      pad_token: '<pad>',
      eos_token: '</s>',
      unk_token: '<unk>',
    },
    'config.json': {
      architectures: ['BertModel'],
      model_type: 'bert',
      hidden_size: width,
      num_hidden_layers: layers,
      num_attention_heads: heads,
      intermediate_size: innerWidth,
      vocab_size: vocabulary,
      pad_token_id: 0,
      max_position_embeddings: contextTokens,
    },
  };
  for (const [name, value] of Object.entries(written)) writeFileSync(join(folder, name), JSON.stringify(value));
}
