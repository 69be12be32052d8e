// @ts-check
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
 */
const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { transformers: text, rounds: text, tokens: text } });
const lengths = (values.tokens ?? '32,96,200').split(',').map(Number);
const rounds = Number(values.rounds ?? 8);
const PROMPT =
  'The old house by the river was empty, and nobody in the village knew who had lived there before the war.';

await beside(
  { name: 'generation', transformers: values.transformers, writeModel: writeRandomLlama },
  async (call, folder) => {
    const rows = [];
    for (const tokens of lengths) rows.push(await call(folder, PROMPT, tokens, rounds));
    console.table(
      rows.map(({ 'half of the ratios': half, ...row }) => ({
        ...row,
        ratio: row.ratio.toFixed(2),
        'half of the ratios': half.map((/** @type {number} */ ratio) => ratio.toFixed(2)).join(' to '),
      })),
    );
  },
);
