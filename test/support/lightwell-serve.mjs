// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { giveUp, ROOT } from '../../server/setup/dependencies.mjs';

/**
 * Runs `lightwell serve` of the build on any free port, with one worker.
 *
 * @param {readonly string[]} [options]  further ones
 * @returns {Promise<{ url: string, token: string, stop: () => void }>}  `url` ends with a slash
 */
export async function serveBuild(options = []) {
  const token = randomBytes(32).toString('hex');
  const program = [join(ROOT, 'build/server/lightwell.mjs'), 'serve', '--port', '0', '--workers', '1', ...options];
  const env = { ...process.env, LIGHTWELL_TOKEN: token };
  const server = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = /** @type {[string]} */ (await once(createInterface(server.stdout), 'line'));
  const url = /https?:\S+/.exec(line)?.[0] ?? giveUp(`lightwell serve: expected an address, got "${line}"`);
  return { url, token, stop: () => void server.kill() };
}
