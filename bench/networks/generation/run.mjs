// @ts-check
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { beside } from '../beside.mjs';
import { writeRandomLlama } from '../random-llama.mjs';

/**
 * Tokens per second of `/complete` over those of transformers.js: the same network of random weights, prompt, threads and build
 * of ONNX Runtime, both in a worker of one page, by turns. Each length has a page of its own.
 *
 *     npm run bench -- generation --rounds 5 --tokens 200
 *
 * `--transformers DIR` measures another version: DIR is its unpacked package, as `npm pack @huggingface/transformers@VERSION` gives it.
 * `--model DIR` measures a folder in the hub's layout instead, with its weights of the type `--dtype` (fp32, q8, q4): milliseconds of a
 * written token, and of reading 225 tokens.
 */
const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { transformers: text, rounds: text, tokens: text, model: text, dtype: text } });
const lengths = (values.tokens ?? '32,96,200').split(',').map(Number);
const rounds = Number(values.rounds ?? 8);
const PROMPT =
  'The old house by the river was empty, and nobody in the village knew who had lived there before the war.';

const { model, dtype = 'fp32' } = values;
/** @type {Readonly<Record<string, string>>} */
const FILES = { fp32: 'model.onnx', q8: 'model_quantized.onnx', q4: 'model_q4.onnx' };
const hasDataFile = model !== undefined && existsSync(join(model, 'onnx', `${FILES[dtype]}_data`));

await beside(
  {
    name: 'generation',
    transformers: values.transformers,
    writeModel: async (folder) => (model ? cpSync(model, folder, { recursive: true }) : writeRandomLlama(folder)),
  },
  model ? measureModel : measureLengths,
);

/** @type {Parameters<typeof beside>[1]} */
async function measureLengths(call, folder) {
  const rows = [];
  for (const tokens of lengths) rows.push(await call({ folder, dtype, prompt: PROMPT, tokens }, rounds));
  console.table(
    rows.map(({ tokens, ours, theirs, ratio, half, isSame }) => ({
      tokens,
      'Lightwell, tokens/s': (1000 * tokens) / ours,
      'transformers.js, tokens/s': (1000 * tokens) / theirs,
      ratio: (1 / ratio).toFixed(2),
      'half of the ratios': half.map((/** @type {number} */ ratio) => (1 / ratio).toFixed(2)).join(' to '),
      'same text': isSame ? 'yes' : 'no',
    })),
  );
}

/** @type {Parameters<typeof beside>[1]} */
async function measureModel(call, folder) {
  const long = `${PROMPT} `.repeat(10).trim();
  const [one, many] = [1, 33];
  const asked = { folder, dtype, hasDataFile, prompt: PROMPT };
  const read = await call({ ...asked, prompt: long, tokens: one }, rounds);
  const first = await call({ ...asked, tokens: one }, rounds);
  const rest = await call({ ...asked, tokens: many }, rounds);
  const perToken = (/** @type {'ours' | 'theirs'} */ side) => (rest[side] - first[side]) / (many - one);
  console.table(
    [
      ['token written', perToken('ours'), perToken('theirs'), rest.isSame],
      [`${read.promptTokens} tokens read`, read.ours, read.theirs, read.isSame],
    ].map(([what, ours, theirs, isSame]) => ({
      [`${model}, ${dtype}`]: what,
      'Lightwell, ms': ours.toFixed(1),
      'transformers.js, ms': theirs.toFixed(1),
      ratio: (ours / theirs).toFixed(2),
      'same text': isSame ? 'yes' : 'no',
    })),
  );
}
