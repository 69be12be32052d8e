// @ts-check
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** @typedef {{ evaluation: string, key: string, value: unknown }} Found */
/**
 * `network`: SHA-256 of the network that was measured. `load`: processes that ran or waited when the item was done, the machine's
 * mean over a minute; the measurement itself is among them.
 *
 * @typedef {Found & { network: string, load: number }} Line
 */

/**
 * What evaluations have measured of single items, a line of JSON for each, so that a run that was broken off goes on, and runs
 * of some hours each are put together. Without a file lines are kept as long as the program runs.
 *
 * @param {string | null} file
 * @returns {{ lines: readonly Line[], of: (evaluation: string, network: string) => Line[], keep: (found: Found, network: string) => void }} `of` throws an
 *   Error where another network was measured
 * @throws {Error} naming the line that is none
 */
export function openRecords(file) {
  const lines = file !== null && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const known = lines.flatMap((text, at) => (text.trim() === '' ? [] : [lineOf(text, `${file}, line ${at + 1}`)]));
  return {
    lines: known,
    of(evaluation, network) {
      const own = known.filter((line) => line.evaluation === evaluation);
      const other = own.find((line) => line.network !== network);
      if (!other) return own;
      throw new Error(`${file}: expected ${evaluation} of the network ${network}, got it of ${other.network}`);
    },
    keep(found, network) {
      const text = JSON.stringify({ ...found, network, load: loadavg()[0] }, shortNumbers);
      known.push(JSON.parse(text));
      if (file !== null) appendFileSync(file, `${text}\n`);
    },
  };
}

/** Four digits: more say nothing, and fill the file. @param {string} _ @param {unknown} value */
function shortNumbers(_, value) {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

/**
 * @param {string} text
 * @param {string} where
 * @returns {Line}
 */
function lineOf(text, where) {
  const line = parsed(text);
  const [strings, numbers] = [['evaluation', 'key', 'network'], ['load']];
  const isLine =
    line !== null &&
    strings.every((name) => typeof line[name] === 'string') &&
    numbers.every((name) => typeof line[name] === 'number');
  if (isLine && 'value' in line) return line;
  throw new Error(`${where}: expected {"evaluation", "key", "network", "load", "value"}, got ${text.slice(0, 80)}`);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the line says so
  }
}
