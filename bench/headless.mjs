// @ts-check
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { buildAll } from '../server/setup/build.mjs';
import { provideChromium, QUIET_SWITCHES } from '../test/support/browser/chromium.mjs';
import { runBuild } from '../test/support/lightwell-serve.mjs';

/**
 * Measures `lightwell serve`, in turn with a page whose local server answers: seconds from the start of the program to its first
 * answer; requests per second of 1, 8 and 32 clients; memory over mixed requests. `npm run bench -- headless` takes `--rounds N`,
 * `--each N` (requests of a client in a round), `--requests N` (mixed ones) and `--workers N` of `lightwell serve`.
 *
 * @typedef {import('../test/support/lightwell-serve.mjs').Served} Served
 * @typedef {{ path: string, body: object }} Work
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    each: { type: 'string', default: '4' },
    requests: { type: 'string', default: '2000' },
    workers: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const each = Number(values.each);
const requests = Number(values.requests);

const prompt = "User: A table at Luigi's in Oakland at 7 pm.\nAssistant: Booked.\nRestaurant:";
const base = { model: 'lightwell-base', prompt };
const EMBED = { path: 'semantic_embed', body: { prompt, representation: 'symmetric' } };
const EXPLAIN = { path: 'explain', body: { ...base, target: " Luigi's" } };
const MIXED = [
  EMBED,
  EXPLAIN,
  { path: 'evaluate', body: { ...base, completion_expected: " Luigi's" } },
  { path: 'complete', body: { ...base, maximum_tokens: 8 } },
  { path: 'qa', body: { query: 'Where is the table?', documents: [{ text: prompt }] } },
  { path: 'embed', body: { ...base, layers: [-1], pooling: ['mean'] } },
];
const CLIENTS = [1, 8, 32];

buildAll();
console.log(`Start to first answer: ${(await secondsToAnswer()).toFixed(1)} s`);
console.log('Requests per second: the best round, and the median of the ratios');
console.table(await throughput());
console.log('Memory of the process after mixed requests');
console.table(await memory());

async function serveHeadless() {
  return runBuild(['serve', ...(values.workers === undefined ? [] : ['--workers', values.workers])]);
}

/** A page whose local server answers. @returns {Promise<Served>} */
async function servePage() {
  const server = await runBuild(['--no-open']);
  const browser = await chromium.launch({ executablePath: await provideChromium(), args: QUIET_SWITCHES });
  const page = await browser.newPage();
  await page.goto(`${server.url}?backend=wasm`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  const token = await page.evaluate(async () => {
    await lightwell.ready;
    return lightwell.token;
  });
  const stop = async () => {
    await browser.close();
    await server.stop();
  };
  return { ...server, token, stop };
}

/**
 * @param {Served} server
 * @param {Work} work
 */
async function send({ url, token }, { path, body }) {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: expected 200, got ${response.status}: ${text}`);
}

async function secondsToAnswer() {
  const startedMs = performance.now();
  const server = await serveHeadless();
  await send(server, EMBED);
  const seconds = (performance.now() - startedMs) / 1000;
  await server.stop();
  return seconds;
}

async function throughput() {
  const page = await servePage();
  const headless = await serveHeadless();
  const rows = [];
  for (const work of [EMBED, EXPLAIN])
    for (const clients of CLIENTS) {
      for (const server of [page, headless]) await perSecond(server, work, clients); // every worker has the model
      /** @type {(readonly [page: number, headless: number])[]} */
      const pairs = [];
      for (let round = 0; round < rounds; round++)
        pairs.push([await perSecond(page, work, clients), await perSecond(headless, work, clients)]);
      const ratios = pairs.map(([ofPage, ofHeadless]) => ofHeadless / ofPage).toSorted((a, b) => a - b);
      const best = (/** @type {0 | 1} */ side) => Math.max(...pairs.map((pair) => pair[side])).toFixed(1);
      const ratio = (ratios[Math.floor(rounds / 2)] ?? NaN).toFixed(2);
      rows.push({ request: work.path, clients, page: best(0), headless: best(1), ratio });
    }
  await page.stop();
  await headless.stop();
  return rows;
}

/**
 * @param {Served} server
 * @param {Work} work
 * @param {number} clients
 */
async function perSecond(server, work, clients) {
  const startedMs = performance.now();
  const client = async () => {
    for (let i = 0; i < each; i++) await send(server, work);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (1000 * clients * each) / (performance.now() - startedMs);
}

/** After a tenth of the requests, half of them, and all. */
async function memory() {
  const server = await serveHeadless();
  const rows = [];
  let sent = 0;
  for (const end of [0.1, 0.5, 1].map((share) => Math.ceil(share * requests))) {
    for (; sent < end; sent++) await send(server, MIXED[sent % MIXED.length] ?? EMBED);
    const headers = { Authorization: `Bearer ${server.token}` };
    const metrics = await (await fetch(`${server.url}metrics`, { headers })).text();
    const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
    rows.push({ requests: sent, MB: Math.round(bytes / 1e6) });
  }
  await server.stop();
  return rows;
}
