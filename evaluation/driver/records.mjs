// @ts-check
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** @typedef {{ evaluation: string, key: string, value: unknown }} Line */

/**
 * What evaluations have measured of single items, a line of JSON for each, so that a run that was broken off goes on, and runs
 * of some hours each are put together. Without a file nothing is kept.
 *
 * @param {string | null} file
 * @returns {{ of: (evaluation: string) => Record<string, unknown>, keep: (line: Line) => void }}
 * @throws {Error} naming the line that is none
 */
export function openRecords(file) {
  const lines = file !== null && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const known = lines.flatMap((text, at) => (text.trim() === '' ? [] : [lineOf(text, `${file}, line ${at + 1}`)]));
  return {
    of: (evaluation) =>
      Object.fromEntries(known.filter((line) => line.evaluation === evaluation).map(({ key, value }) => [key, value])),
    keep: (line) => {
      if (file !== null) appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}

/**
 * @param {string} text
 * @param {string} where
 * @returns {Line}
 */
function lineOf(text, where) {
  const line = parsed(text);
  if (typeof line?.evaluation === 'string' && typeof line.key === 'string' && 'value' in line) return line;
  throw new Error(`${where}: expected {"evaluation", "key", "value"}, got ${text.slice(0, 80)}`);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the line says so
  }
}
