// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../server/setup/dependencies.mjs';
import { openRecords } from './driver/records.mjs';
import { tablesOf } from './driver/tables-of.mjs';

/** Prints the tables of the committed records of single prompts, as they stand in `docs/benchmarks.md`: `npm run evaluate -- tables`. */
const FOLDER = join(ROOT, 'evaluation/records');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
for (const file of files.toSorted()) {
  const { lines } = openRecords(join(FOLDER, file));
  for (const name of new Set(lines.map(({ evaluation }) => evaluation)))
    console.log(`### ${name}\n\n${await tablesOf(lines.filter(({ evaluation }) => evaluation === name))}\n`);
}
