// @ts-check
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { runnerImport } from 'vite';

// The threads of `run.mjs`: the server, and a client that asks without end.
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
if (workerData.role === 'server') await serve();
else await ask(workerData.url);

async function serve() {
  /** @type {{ module: typeof import('../../../server/serve.ts') }} */
  const { module } = await runnerImport('./server/serve.ts');
  const { url } = await module.startServer({ port: 0 });
  let peak = 0;
  setInterval(() => {
    const { heapUsed, external } = process.memoryUsage(); // of this thread
    peak = Math.max(peak, heapUsed + external);
  }, 50);
  port.on('message', () => port.postMessage({ peakMiB: Math.round(peak / 2 ** 20) }));
  port.postMessage({ url });
}

/** @param {string} url */
async function ask(url) {
  const agent = new Agent({ keepAlive: true });
  /** @type {number[]} */
  let waitsMs = [];
  port.on('message', () => {
    const sorted = waitsMs.toSorted((a, b) => a - b);
    const [longestMs = 0, medianMs = 0] = [sorted.at(-1), sorted[Math.floor(sorted.length / 2)]];
    port.postMessage({ answers: sorted.length, longestMs, medianMs });
    waitsMs = [];
  });
  for (;;) {
    const began = performance.now();
    await new Promise((resolve, reject) => {
      get(new URL('/api/version', url), { agent }, (response) => response.resume().on('end', resolve)).on(
        'error',
        reject,
      );
    });
    waitsMs.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
