// @ts-check
import { parseArgs } from 'node:util';
import { beside } from '../beside.mjs';
import { writeRandomLlama } from '../random-llama.mjs';

/**
 * Time of passes on one thread over that on as many as a page takes, for the models of the app and one of random weights. Columns
 * are sequences × tokens of a pass.
 *
 *     npm run bench -- threads --rounds 5
 */
const { values } = parseArgs({ options: { rounds: { type: 'string' } } });
const rounds = Number(values.rounds ?? 9);

await beside({ name: 'threads', transformers: undefined, writeModel: writeRandomLlama }, async (call, folder) => {
  const rows = [];
  for (let row = await call(folder, 0, rounds); row; row = await call(folder, rows.length, rounds)) rows.push(row);
  console.table(rows);
});
