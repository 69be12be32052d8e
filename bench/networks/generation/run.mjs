// @ts-check
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { build, preview, runnerImport } from 'vite';
import { provideChromium } from '../../../test/support/chromium.mjs';

/**
 * Tokens per second of `/complete` over those of transformers.js: the same network of random weights, prompt, threads and build
 * of ONNX Runtime, both in a worker of one page, by turns.
 *
 *     npm run bench:generation -- --rounds 5
 *
 * `--transformers DIR` measures another version: DIR is its unpacked package, as `npm pack @huggingface/transformers@VERSION` gives it.
 */
const { values } = parseArgs({ options: { transformers: { type: 'string' }, rounds: { type: 'string' } } });
const library = resolve(values.transformers ?? 'node_modules/@huggingface/transformers', 'dist/transformers.web.js');
if (!existsSync(library)) throw new Error(`--transformers: expected the unpacked package, got no ${library}`);
const rounds = Number(values.rounds ?? 8);
const PROMPT =
  'The old house by the river was empty, and nobody in the village knew who had lived there before the war.';

const require = createRequire(import.meta.url);
/** @param {string} name */
const own = (name) => ({ find: new RegExp(`^${name}$`), replacement: require.resolve(name).replace(/\.cjs$/, '.mjs') });
const outDir = `node_modules/.cache/lightwell-bench-${process.pid}`;
const runtime = join('node_modules/onnxruntime-web/dist/ort.webgpu.bundle.min.mjs');
await build({
  build: {
    outDir,
    emptyOutDir: true,
    rolldownOptions: { input: { generation: 'bench/networks/generation/index.html' } },
  },
  resolve: {
    alias: [
      { find: '@huggingface/transformers', replacement: library },
      { find: /^onnxruntime-web\/webgpu$/, replacement: resolve(runtime) },
      own('onnxruntime-common'),
    ],
  },
  logLevel: 'error',
});
await writeModel(join(outDir, 'made/random'));
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
const url = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath: await provideChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  await page.goto(`${url}bench/networks/generation/index.html`);
  await page.waitForFunction('"generation" in globalThis');
  const rows = [];
  for (const tokens of [32, 96, 200])
    rows.push(
      await page.evaluate(
        ([...given]) => Reflect.get(globalThis, 'generation')(...given),
        /** @type {const} */ ([`${url}made/random/`, PROMPT, tokens, rounds]),
      ),
    );
  console.table(rows.map((row) => ({ ...row, ratio: row.ratio.toFixed(2) })));
} finally {
  await browser.close();
  await server.close();
  rmSync(outDir, { recursive: true });
}

/**
 * A Llama of random weights with the embedded model's tokenizer, in the hub's layout.
 *
 * @param {string} folder
 */
async function writeModel(folder) {
  /** @type {{ module: typeof import('../../../test/support/onnx/decoder.ts') }} */
  const { module } = await runnerImport('./test/support/onnx/decoder.ts');
  const { layers, width, heads, keyHeads, headSize, innerWidth, vocabulary, contextTokens } = module.BENCH_SIZES;
  mkdirSync(join(folder, 'onnx'), { recursive: true });
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
