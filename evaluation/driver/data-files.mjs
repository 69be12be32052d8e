// @ts-check
import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { giveUp } from '../../server/setup/dependencies.mjs';

/** @typedef {import('../evaluation.ts').DataFile} DataFile */

/**
 * Puts a file where the page fetches it, unpacked if it is packed by xz. Ends the program, and says what was expected
 * where, when the file or the program `xz` is missing.
 *
 * @param {DataFile} file
 * @param {string} source  the folder that holds it
 * @param {string} target  the folder that is served as `/evaluation-data`
 */
export function placeFile({ from, path }, source, target) {
  const packed = join(source, path);
  const placed = join(target, from, path.replace(/\.xz$/, ''));
  if (existsSync(placed)) return;
  if (!existsSync(packed)) giveUp(`--${from}: expected the file ${path} in ${source}, and there is none`);
  mkdirSync(dirname(placed), { recursive: true });
  if (path.endsWith('.xz')) unpack(packed, placed);
  else copyFileSync(packed, placed);
}

/**
 * @param {string} packed
 * @param {string} placed
 */
function unpack(packed, placed) {
  const out = openSync(placed, 'w');
  const { status, error, stderr } = spawnSync('xz', ['--decompress', '--stdout', packed], {
    stdio: ['ignore', out, 'pipe'],
  });
  closeSync(out);
  if (error)
    giveUp(
      `expected the program xz, to unpack ${packed}: ${error.message}\nDebian: apt install xz-utils; macOS: brew install xz`,
    );
  if (status !== 0) giveUp(`xz could not unpack ${packed}: ${stderr}`);
}
