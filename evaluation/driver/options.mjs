// @ts-check
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, giveUp } from '../../server/setup/dependencies.mjs';

const USAGE = `npm run evaluate -- [--data DIR] [--corpus DIR] [--only name,name] [--sample N] [--records FILE] [--json FILE]
  --data    the data folder, with eval/ and pairs/; default: LIGHTWELL_DATA, else ../shared/data
  --corpus  held-out documents and training tokens, written by training/; without it perplexity is skipped
  --only    evaluations to run; default: all
  --sample  items of each set, drawn by a fixed seed; default: all
  --records a file that keeps what is measured of each item: a run that was broken off, or with a larger sample, goes on from it
  --json    a file for the figures, written after each evaluation`;

const KNOWN = /** @type {const} */ ({
  data: { type: 'string' },
  corpus: { type: 'string' },
  only: { type: 'string' },
  sample: { type: 'string' },
  records: { type: 'string' },
  json: { type: 'string' },
});

/**
 * What the command line asks for; folders absolute, and there.
 *
 * @typedef {{ data: string, corpus: string | null, only: string[] | null, sample: number | null, records: string | null, json: string | null }} Options
 * @param {readonly string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { data, corpus, only, sample, records, json } = parsed(args);
  return {
    data: folder('--data', data ?? process.env.LIGHTWELL_DATA ?? resolve(ROOT, '../shared/data')),
    corpus: corpus === undefined ? null : folder('--corpus', corpus),
    only: only?.split(',').map((name) => name.trim()) ?? null,
    sample: sample === undefined ? null : count(sample),
    records: records === undefined ? null : writable('--records', records),
    json: json === undefined ? null : writable('--json', json),
  };
}

/** @param {readonly string[]} args */
function parsed(args) {
  try {
    return parseArgs({ args: [...args], options: KNOWN }).values;
  } catch (error) {
    return giveUp(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

/**
 * @param {string} option
 * @param {string} path
 */
function folder(option, path) {
  const absolute = resolve(path);
  if (existsSync(absolute)) return absolute;
  return giveUp(`${option}: expected a folder, got ${absolute}, which does not exist\n\n${USAGE}`);
}

/** @param {string} text */
function count(text) {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : giveUp(`--sample: expected a number ≥ 1, got "${text}"`);
}

/**
 * A file that cannot be written is better known before the work than behind it.
 *
 * @param {string} option
 * @param {string} path
 */
function writable(option, path) {
  const absolute = resolve(path);
  if (existsSync(dirname(absolute))) return absolute;
  return giveUp(`${option}: expected a file in a folder that exists, got ${absolute}`);
}
