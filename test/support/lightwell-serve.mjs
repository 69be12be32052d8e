// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { SERVER } from '../../server/setup/build.mjs';
import { giveUp } from '../../server/setup/dependencies.mjs';

/** @typedef {{ url: string, token: string, stop: () => Promise<void> }} Served  `url` ends with a slash */

/**
 * Runs `lightwell` of the build on any free port.
 *
 * @param {readonly string[]} args
 * @returns {Promise<Served>}  `token` is that of `serve`
 */
export async function runBuild(args) {
  const token = randomBytes(32).toString('hex');
  const env = { ...process.env, LIGHTWELL_TOKEN: token };
  const server = spawn(process.execPath, [SERVER, ...args, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const [line] = /** @type {[string]} */ (await once(createInterface(server.stdout), 'line'));
  const url = /https?:\S+/.exec(line)?.[0] ?? giveUp(`lightwell: expected an address, got "${line}"`);
  const stop = async () => {
    server.kill();
    await ended;
  };
  return { url, token, stop };
}

/**
 * Runs `lightwell serve` of the build with one worker.
 *
 * @param {readonly string[]} [options]  further ones
 */
export function serveBuild(options = []) {
  return runBuild(['serve', '--workers', '1', ...options]);
}
