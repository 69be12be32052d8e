import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEngineProxy, type EngineLimits } from '../../../../server/engine/engine-proxy.ts';

const TOKEN = 'token-of-the-cluster';
const KEY = 'key-of-the-server';
const OWN = 'Bearer page';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An engine that does what a test says, and the local server in front of it. */
async function setUp(
  engine: (request: IncomingMessage, response: ServerResponse) => void,
  limits: Partial<EngineLimits> = {},
) {
  const seen: { url: string | undefined; authorization: string | undefined; headers: object }[] = [];
  const address = await listening((request, response) => {
    seen.push({ url: request.url, authorization: request.headers.authorization, headers: request.headers });
    engine(request, response);
  });
  const proxy = createEngineProxy({
    engine: { address, models: ['base'], token: TOKEN },
    upstream: { address: `${address}/v1`, token: KEY },
    limits,
    isAuthorized: async ({ headers }) => headers.authorization === OWN,
  });
  const url = await listening(proxy);
  const ask = (path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    send(`${url}/api/engine/`, path, {
      ...init,
      headers: { authorization: OWN, 'lightwell-engine': address, ...init.headers },
    });
  return { address, url, seen, ask };
}

/** Not `fetch`, which tidies paths and forbids headers. */
async function send(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string },
) {
  const { hostname, port, pathname } = new URL(base);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = httpRequest({ hostname, port, path: pathname + path, method, headers: { ...length, ...headers } });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

const ok = (_: IncomingMessage, response: ServerResponse) => void response.end('{"ready":true}');

describe('the way to the engine', () => {
  it('passes ready, metadata and infer of its models on, with the token of the engine', async () => {
    const { ask, seen } = await setUp(ok);
    const paths = ['v2', 'v2/health/ready', 'v2/models/base', 'v2/models/base/ready', 'v2/models/base/versions/3'];
    for (const path of paths) expect((await ask(path)).status, path).toBe(200);
    expect((await ask('v2/models/base/infer', { method: 'POST', body: '{}' })).status).toBe(200);
    expect(seen.map(({ url }) => url)).toEqual([...paths, 'v2/models/base/infer'].map((path) => `/${path}`));
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  it.each([
    'v2/models/other',
    'v2/models/base/../other/infer',
    'v2/models/base%2f..%2fother',
    'v2/models/base/config',
    'v2/models/base/stats',
    'v2/models/base/versions/1/../2',
    'v2/models/base/infer?x=1',
    'v2/models/base/infer#x',
    'v2/repository/index',
    'v2/repository/models/base/unload',
    'v2/systemsharedmemory/status',
    'v2/logging',
    'v2/health/live',
    '/v2',
    '../engine/v2',
    'v2/',
    'metrics',
    'http://elsewhere.example/v2',
    '@elsewhere.example/v2',
  ])('passes nothing else on: %s', async (path) => {
    const { ask, seen } = await setUp(ok);
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status } = await ask(path, { method, ...(method === 'POST' && { body: '{}' }) });
      expect([403, 404, 405]).toContain(status);
    }
    expect(seen).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['without the token of a page', { authorization: '' }],
    ['with the token of the engine', { authorization: `Bearer ${TOKEN}` }],
    ['from a page elsewhere', { origin: 'https://elsewhere.example' }],
    ['from a frame elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['under a foreign name', { host: 'elsewhere.example' }],
    ['for another address', { 'lightwell-engine': 'https://elsewhere.example' }],
    ['for no address', { 'lightwell-engine': '' }],
  ])('refuses requests %s', async (_, headers) => {
    const { ask, seen } = await setUp(ok);
    expect([401, 403]).toContain((await ask('v2', { headers })).status);
    expect(seen).toEqual([]);
  });

  it('tells its own page where the engine is, and does not tell the token', async () => {
    const { ask, address } = await setUp(ok);
    const { status, text } = await ask('');
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { engine: { address, models: ['base'] }, upstream: { address: `${address}/v1` } },
    ]);
    expect(text).not.toMatch(`${TOKEN}|${KEY}`);
  });

  it('says that there is none where the server was started without', async () => {
    const url = `${await listening(createEngineProxy({ isAuthorized: async () => true }))}/api/engine/`;
    expect(await send(url, '', {})).toMatchObject({ status: 200, text: 'null' });
    expect(await send(url, 'v2', {})).toMatchObject({ status: 404, text: expect.stringContaining('--engine') });
    expect(await send(url, 'v1/models', {})).toMatchObject({
      status: 404,
      text: expect.stringContaining('--upstream'),
    });
  });

  it('passes models, completions and token ids of the server on, with its key, and nothing else', async () => {
    const { ask, seen, address } = await setUp(ok);
    const headers = { 'lightwell-engine': `${address}/v1` };
    expect((await ask('v1/models', { headers })).status).toBe(200);
    expect((await ask('v1/completions', { method: 'POST', body: '{}', headers })).status).toBe(200);
    expect((await ask('v1/tokenize', { method: 'POST', body: '{}', headers })).status).toBe(200);
    expect(seen.map(({ url }) => url)).toEqual(['/v1/models', '/v1/completions', '/tokenize']);
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
    for (const path of ['v1/files', 'v1/models/x', 'v1/../v2', 'v1/completions?x=1', 'v1/fine_tuning/jobs', 'v1/'])
      for (const method of ['GET', 'POST', 'DELETE'])
        expect([403, 404, 405]).toContain(
          (await ask(path, { method, headers, ...(method === 'POST' && { body: '{}' }) })).status,
        );
    expect((await ask('v1/models')).status).toBe(403); // for the engine's address
    expect((await ask('v2', { headers })).status).toBe(403);
    expect(seen).toHaveLength(3);
  });

  it('passes on when a server may be asked again, and its message without the key', async () => {
    const { ask, address } = await setUp((_, response) => {
      response.writeHead(429, { 'Retry-After': '7' }).end(JSON.stringify({ error: { message: `slow down, ${KEY}` } }));
    });
    const refused = await ask('v1/completions', {
      method: 'POST',
      body: '{}',
      headers: { 'lightwell-engine': `${address}/v1` },
    });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7']);
    expect(JSON.parse(refused.text).error).toBe('slow down, …');
  });

  it('keeps bodies, answers, rate and requests under way within bounds', async () => {
    const { ask, seen } = await setUp((_, response) => void response.end('x'.repeat(2000)), {
      maxBodyBytes: 10,
      maxAnswerBytes: 1000,
    });
    const infer = { method: 'POST', body: 'x'.repeat(11) };
    expect((await ask('v2/models/base/infer', infer)).status).toBe(413);
    expect(seen).toEqual([]);
    expect((await ask('v2').catch(() => ({ status: 'broken off' }))).status).not.toBe(200);
    const slow = await setUp(ok, { burst: 2, perSecond: 0.001 });
    const statuses = [await slow.ask('v2'), await slow.ask('v2'), await slow.ask('v2')].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    const full = await setUp(() => undefined, { maxUnderWay: 1 });
    void full.ask('v2').catch(() => undefined);
    await expect.poll(() => full.seen.length).toBe(1);
    expect((await full.ask('v2')).status).toBe(429);
  });

  it('follows no redirect, passes no cookie on, and takes no header of the engine that is not named', async () => {
    const redirect = await setUp(
      (_, response) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    );
    expect((await redirect.ask('v2')).status).toBe(502);
    const { ask, seen } = await setUp((_, response) =>
      response.writeHead(200, { 'Set-Cookie': 'a=b', 'X-Secret': TOKEN, 'Access-Control-Allow-Origin': '*' }).end('{}'),
    );
    const { headers } = await ask('v2', { headers: { cookie: 'a=b', 'x-forwarded-for': '1.2.3.4' } });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']));
    expect(JSON.stringify(headers)).not.toContain(TOKEN);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(JSON.stringify(seen[0]?.headers)).not.toMatch(/cookie|forwarded|lightwell-engine/);
  });

  it('repeats an error that is no text as it came', async () => {
    const sent = JSON.stringify({ detail: [{ msg: 'field required' }] });
    const engine = await setUp((_, response) => void response.writeHead(422).end(sent));
    const { text } = await engine.ask('v2');
    expect(JSON.parse(text)).toMatchObject({ error: sent });
  });

  it('never passes the token back, even where an engine does', async () => {
    const { ask } = await setUp((_, response) => {
      response.writeHead(400).end(JSON.stringify({ error: `bad token ${TOKEN}` }));
    });
    const { status, text } = await ask('v2');
    expect(status).toBe(400);
    expect(text).not.toContain(TOKEN);
  });

  it('says that the engine is away, naming it', async () => {
    const { ask, address } = await setUp((request) => void request.socket.destroy());
    const { status, text } = await ask('v2');
    expect(status).toBe(502);
    expect(JSON.parse(text).error).toContain(address);
    const silent = await setUp(() => undefined, { silenceMs: 100 });
    expect((await silent.ask('v2')).status).toBe(504);
  });

  it('breaks off at the engine when the page leaves', async () => {
    let isClosed = false;
    const { url, seen, address } = await setUp((_, response) => void response.once('close', () => (isClosed = true)));
    const { hostname, port } = new URL(url);
    const headers = { authorization: OWN, 'lightwell-engine': address };
    const request = httpRequest({ hostname, port, path: '/api/engine/v2', headers });
    request.on('error', () => undefined);
    request.end();
    await expect.poll(() => seen.length).toBe(1);
    request.destroy();
    await expect.poll(() => isClosed).toBe(true);
  });

  it('keeps no place for a page that leaves before its token is checked', async () => {
    const address = await listening(ok);
    let [checked, closed] = [0, 0];
    let allow = (_: boolean) => {};
    const isAllowed = new Promise<boolean>((resolve) => (allow = resolve));
    const proxy = createEngineProxy({
      engine: { address, models: ['base'], token: TOKEN },
      upstream: undefined,
      limits: { maxUnderWay: 1 },
      isAuthorized: () => {
        checked += 1;
        return isAllowed;
      },
    });
    const url = await listening((request, response) => {
      response.once('close', () => (closed += 1));
      proxy(request, response);
    });
    const headers = { 'lightwell-engine': address };
    const { hostname, port } = new URL(url);
    const left = httpRequest({ hostname, port, path: '/api/engine/v2', headers });
    left.on('error', () => undefined);
    left.end();
    await expect.poll(() => checked).toBe(1);
    left.destroy();
    await expect.poll(() => closed).toBe(1);
    allow(true);
    expect((await send(`${url}/api/engine/`, 'v2', { headers })).status).toBe(200);
  });
});
