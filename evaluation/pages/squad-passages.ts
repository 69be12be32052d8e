import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SQUAD_1, type SquadRow } from '../data/squad.ts';

/** A passage and one question about it. */
export type Passage = Pick<SquadRow, 'context' | 'question' | 'answers'>;

/** The folder with the data; `LIGHTWELL_DATA` names another one. */
const DATA = resolve(process.env['LIGHTWELL_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)));

/** Letters that the fonts of a PDF have without one of its own. */
const LATIN = /^[\n\x20-\x7e\xa0-\xff]*$/;

/** UTF-8 of all passages. */
const MAX_BYTES = 2 ** 28;

/**
 * All questions of SQuAD v1.1's development set.
 *
 * @throws {Error} where the data or the program `xz` is missing
 */
export function squadRows(): SquadRow[] {
  const { stdout, error, status } = spawnSync('xz', ['-dc', resolve(DATA, SQUAD_1.path)], { maxBuffer: MAX_BYTES });
  if (error || status !== 0) throw new Error(`expected ${SQUAD_1.path} below ${DATA}, and the program xz to unpack it`);
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SquadRow);
}

/** Passages of that set, evenly spread over it, each with its first question. @throws {Error} as `squadRows` */
export function squadPassages(count: number): Passage[] {
  const firsts = [
    ...new Map(
      squadRows()
        .toReversed()
        .map((row) => [row.context, row]),
    ).values(),
  ].filter(({ context }) => LATIN.test(context));
  return Array.from({ length: count }, (_, i) => firsts[Math.floor((i * firsts.length) / count)]).filter(
    (row) => row !== undefined,
  );
}
