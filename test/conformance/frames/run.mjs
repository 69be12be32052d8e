// @ts-check
import { parseArgs } from 'node:util';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runnerImport } from 'vite';
import { giveUp } from '../../../server/setup/dependencies.mjs';

/**
 * Sends hostile frames to the local server while another client asks it for its version, and prints the longest time that
 * client has waited: `npm test -- frames --frames 100000 --seed 1`. Server, client and tabs have a thread each. It ends with 1
 * when the client has waited longer than `MAX_WAIT_MS`.
 */
const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    huge: { type: 'string', default: '20' },
  },
});
const [frames, seed, huge] = [values.frames, values.seed, values.huge].map(Number);
if (![frames, seed, huge].every(Number.isSafeInteger)) giveUp('--frames, --seed and --huge: expected whole numbers');

const MAX_WAIT_MS = 200;
/** How long the client asks while nobody else does. */
const QUIET_MS = 5_000;

const thread = (/** @type {object} */ workerData) =>
  new Worker(new URL('./thread.mjs', import.meta.url), { workerData });
const server = thread({ role: 'server' });
/** @type {[{ url: string }]} */
const [{ url }] = /** @type {any} */ (await once(server, 'message'));
const client = thread({ role: 'client', url });

/** @returns {Promise<{ answers: number, longestMs: number, medianMs: number }>} */
async function waits() {
  client.postMessage('report');
  const [report] = await once(client, 'message');
  return report;
}

await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
await waits(); // the first ones start the code
await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
const quiet = await waits();
/** @type {{ module: typeof import('./hostile-frames.ts') }} */
const { module: hostile } = await runnerImport('./test/conformance/frames/hostile-frames.ts');
await waits();
const { sent } = await hostile.sendHostileFrames(url, { frames: frames ?? 0, seed: seed ?? 1 });
const flooded = await waits();
const { sent: sentHuge } = await hostile.sendHostileFrames(url, { frames: 0, seed: 1, huge: huge ?? 0 });
const crushed = await waits();
console.table(Object.entries({ ...sent, ...sentHuge }).map(([kind, count]) => ({ kind, frames: count })));
console.table({ 'without hostile tabs': quiet, 'hostile frames': flooded, 'lists of 128 MiB': crushed });
const longestMs = Math.max(flooded.longestMs, crushed.longestMs);
console.log(`The longest time without an answer to another client: ${longestMs.toFixed(0)} ms.`);
server.postMessage('memory');
const [{ peakMiB }] = /** @type {any} */ (await once(server, 'message'));
console.log(`Most memory of the server's thread: ${peakMiB} MiB.`);
process.exit(longestMs < MAX_WAIT_MS ? 0 : 1);
