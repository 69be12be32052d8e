import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from '@playwright/test';
import { startHeadless, type HeadlessOptions } from '../../../server/headless/headless-server.ts';
import { spawnThread } from '../../../server/headless/spawn-thread.ts';
import type { RunningServer } from '../../../server/serve.ts';
import type { CompleteResponse } from '../../../src/contract/complete.ts';
import type { ChatResponse } from '../../../src/contract/openai.ts';
import { receivedFrom, type Sent } from '../../conformance/transport/transport.ts';
import { openRaw } from '../../support/fakes/raw-socket.ts';
import { base64Of, encodePng } from '../../support/files/png.ts';
import { visionFolder } from '../../support/files/vision-folder.ts';
import { call } from '../calls.ts';
import { plain, test } from '../fixture.ts';
import { checkRows, outside } from './rows.ts';

const TOKEN = 'a'.repeat(64);
const MODELS = join(import.meta.dirname, '../../../public/models');
const PROMPT = "User: A table at Luigi's in Oakland at 7 pm.\nAssistant: Booked.\nRestaurant:";
const EXPLAIN = { model: 'lightwell-base', prompt: PROMPT, target: " Luigi's", prompt_granularity: { type: 'word' } };

/** Bodies whose answers hold numbers, by operation. */
const REQUESTS: readonly (readonly [path: string, body: object])[] = [
  ['/embed', { model: 'lightwell-base', prompt: PROMPT, layers: [0, -1], pooling: ['mean', 'max'] }],
  ['/semantic_embed', { model: 'lightwell-embed', prompt: PROMPT, representation: 'symmetric' }],
  ['/evaluate', { model: 'lightwell-base', prompt: PROMPT, completion_expected: " Luigi's" }],
  ['/explain', EXPLAIN],
  ['/predict', { model: 'lightwell-base', prompt: PROMPT, target: " Luigi's" }],
  ['/lens', { model: 'lightwell-base', prompt: PROMPT }],
  ['/complete', { model: 'lightwell-base', prompt: PROMPT, maximum_tokens: 8, log_probs: 2 }],
  ['/qa', { query: 'Where is the table?', documents: [{ text: PROMPT }] }],
];

interface Started extends RunningServer {
  /** The threads that were started, in order. */
  readonly threads: Worker[];
  send(path: string, body?: object): Promise<Response>;
}

async function start(options: Partial<HeadlessOptions> = {}): Promise<Started> {
  const threads: Worker[] = [];
  const spawn: typeof spawnThread = (...data) => {
    const thread = spawnThread(...data);
    threads.push(thread);
    return thread;
  };
  const usual = { port: 0, host: '127.0.0.1', token: TOKEN, models: undefined, workers: 1, threads: 1 };
  const server = await startHeadless({ ...usual, spawn, ...options });
  const headers = { Authorization: `Bearer ${TOKEN}` };
  return {
    ...server,
    threads,
    send: (path, body) =>
      fetch(new URL(path, server.url), body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }),
  };
}

/** Largest difference of two answers' numbers, as a share of 1 + the number; everything else must be equal. */
function differenceOf(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) / (1 + Math.abs(a));
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b) ? 0 : Infinity;
  const names = new Set(Object.keys(a).concat(Object.keys(b)));
  return Math.max(0, ...Array.from(names, (name) => differenceOf(Reflect.get(a, name), Reflect.get(b, name))));
}

let server: Started;

plain.describe.configure({ mode: 'default' });

plain.beforeAll(async () => {
  server = await start({ models: MODELS });
});

plain.afterAll(() => server.close());

plain('requests wait while the models are loaded, and /health tells when they are', async () => {
  const health = async () => (await server.send('/health')).status;
  expect(await health()).toBe(503);
  expect((await server.send('/api/embed', { ...REQUESTS[0]?.[1] })).status).toBe(200);
  await expect.poll(health).toBe(200);
});

plain('the contract through a server without a page holds row by row', () =>
  checkRows({
    token: TOKEN,
    send: async ({ path, ...init }: Sent) => receivedFrom(await fetch(new URL(outside(path), server.url), init)),
  }),
);

test('a server without a page answers the numbers of the page', async ({ app }) => {
  for (const [path, body] of REQUESTS) {
    const ofPage = await call<unknown>(app, path, body);
    const answer = await server.send(`/api${path}`, body);
    expect([answer.status, ofPage.status], path).toEqual([200, 200]);
    expect(differenceOf(ofPage.body, await answer.json()), path).toBeLessThan(1e-4);
  }
});

plain('models of a folder are listed and answer', async () => {
  await expect.poll(async () => (await server.send('/health')).status).toBe(200); // the folder has been read
  const listed = (await (await server.send('/api/model-settings')).json()) as { name: string }[];
  expect(listed.map(({ name }) => name)).toContain('local/lightwell-embed');
  const [, body] = REQUESTS[1] ?? [];
  const [own, shipped] = await Promise.all(
    ['local/lightwell-embed', 'lightwell-embed'].map(async (model) => {
      const { embedding } = (await (await server.send('/api/semantic_embed', { ...body, model })).json()) as {
        embedding: number[];
      };
      return embedding;
    }),
  );
  expect(own).toEqual(shipped);
});

plain('a picture in a message is read where the chat template has it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lightwell-chat-'));
  const read = (name: string) => JSON.parse(readFileSync(join(MODELS, 'lightwell-base', name), 'utf8')) as object;
  const chat_template = '{{ messages[0].content }} Answer:';
  const tokenizer = {
    'tokenizer.json': read('tokenizer.json'),
    'tokenizer_config.json': { ...read('tokenizer_config.json'), chat_template },
  };
  mkdirSync(join(root, 'seeing/onnx'), { recursive: true });
  for (const [name, bytes] of visionFolder({ tokenizer })) writeFileSync(join(root, 'seeing', name), bytes);
  const own = await start({ models: root });
  const picture = base64Of(encodePng(48, 48, (x) => [215, x, 40]));
  const content = [
    { type: 'text', text: 'See:' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
  ];
  const chat = { model: 'seeing', messages: [{ role: 'user', content }], max_tokens: 8, temperature: 0 };
  const prompt = [
    { type: 'text', data: 'See:\n' },
    { type: 'image', data: picture },
    { type: 'text', data: ' Answer:' },
  ];
  const body = { model: 'seeing', prompt, maximum_tokens: 8 };
  const { completions } = (await (await own.send('/api/complete', body)).json()) as CompleteResponse;
  for (const path of ['/api/chat/completions', '/v1/chat/completions']) {
    const { choices } = (await (await own.send(path, chat)).json()) as ChatResponse;
    expect(choices[0]?.message.content, path).toBe(completions[0]?.completion);
  }
  await own.close();
  rmSync(root, { recursive: true });
});

plain('settings give models other names, and name models of a folder', async () => {
  const modelNames = { 'luminous-base': { embed: 'local/lightwell-embed', complete: 'lightwell-base' } };
  const own = await start({ models: MODELS, settings: { modelNames } });
  const versionOf = async (path: string, body: object) => {
    const answer = await own.send(path, { model: 'luminous-base', prompt: PROMPT, ...body });
    return ((await answer.json()) as { model_version: string }).model_version;
  };
  expect(await versionOf('/api/embed', { layers: [0], pooling: ['mean'] })).toBe('local/lightwell-embed');
  expect(await versionOf('/api/complete', { maximum_tokens: 1 })).toMatch(/^lightwell-base/);
  await own.close();
  await expect(start({ settings: { timeoutMs: 5 } })).rejects.toThrow(/^timeoutMs: expected a number ≥ 1000, got 5/);
});

plain('requests without a token, of another origin or for another path are refused', async () => {
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(new URL(path, server.url), { headers })).status;
  expect(await statusOf('/api/model-settings')).toBe(401);
  expect(await statusOf('/metrics')).toBe(401);
  expect(await statusOf('/api/model-settings', { Origin: 'https://example.org' })).toBe(403);
  expect(await statusOf('/index.html')).toBe(404);
  expect(await statusOf('/models/lightwell-base/config.json')).toBe(404);
});

plain('a request whose target is a whole address, as for a proxy, is answered', async () => {
  const raw = await openRaw(server.url);
  raw.send(`GET ${server.url}api/version HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`);
  while (!raw.received().includes('\r\n\r\n') && !raw.isClosed()) await raw.more();
  expect(raw.received()).toMatch(/^HTTP\/1\.1 200 /);
  raw.destroy();
});

plain('a request whose thread ends is answered by another thread, and the metrics count it', async () => {
  const own = await start();
  const before = await (await own.send('/api/explain', EXPLAIN)).text();
  const answer = own.send('/api/explain', EXPLAIN);
  await own.threads[0]?.terminate();
  expect(await (await answer).text()).toBe(before);
  expect(own.threads.length).toBe(2);
  const metrics = await (await own.send('/metrics')).text();
  expect(metrics).toContain('lightwell_thread_ends_total 1');
  expect(metrics).toMatch(/lightwell_request_duration_seconds_count\{path="\/explain",status="200"\} 2/);
  await own.close();
});

plain('a request that ends two threads fails in words', async () => {
  const own = await start({
    spawn: (...data) => {
      const thread = spawnThread(...data);
      thread.once('online', () => void thread.terminate());
      return thread;
    },
  });
  const answer = await own.send('/api/explain', EXPLAIN);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'DEVICE_LOST', error: expect.stringContaining('lost twice') });
  await own.close();
});
