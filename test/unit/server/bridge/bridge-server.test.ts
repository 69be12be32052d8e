import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import { AUTHORIZED, openTab, type FakeTab } from '../../../support/fakes/fake-tab.ts';

/** Short enough to wait for. */
const LIMITS = { acceptMs: 150, marginMs: 50, maxBodyBytes: 1000, maxHeldBytes: 2500, maxBacklogBytes: 1000 };

let server: RunningServer;
let tabs: FakeTab[] = [];

beforeEach(async () => {
  server = await startServer({ port: 0, limits: LIMITS });
});
afterEach(async () => {
  await server.close();
  tabs = [];
});

async function open(...presence: Parameters<typeof openTab>[1][]): Promise<FakeTab[]> {
  for (const each of presence) tabs.push(await openTab(server.url, each));
  return tabs;
}

function send(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  return fetch(new URL(path, server.url), { ...init, headers: { ...AUTHORIZED, ...headers } });
}

const post = (body: string, init: RequestInit = {}): Promise<Response> =>
  send('/api/embed', { method: 'POST', body, ...init });

async function failureOf(response: Response): Promise<unknown[]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code, response.headers.get('Retry-After')];
}

/** The status of a request whose body comes in two parts: the second is sent once the server has answered others after the first. */
async function statusOfParts(first: string, second: string): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  const request = httpRequest({ hostname, port, path: '/api/embed', method: 'POST', headers: AUTHORIZED });
  const answered = once(request, 'response');
  request.write(first);
  for (let times = 0; times < 3; times++) await (await send('/api/version')).text();
  request.end(second);
  const [response] = (await answered) as [IncomingMessage];
  return response.resume().statusCode;
}

describe('a request over the bridge', () => {
  it('reaches the tab as it was sent, and its answer comes back as the tab gave it', async () => {
    const [tab] = await open({});
    const headers = { 'Content-Type': 'application/json', Cookie: 'a=b' };
    const answered = send('/api/v1/embed?nice=true', { method: 'POST', headers, body: '{"prompt":"Ä 🙂"}' });
    const request = await tab?.request({
      status: 418,
      headers: { 'retry-after': '7', deprecation: '@1' },
      body: '{"ü":1}',
    });
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/embed?nice=true', body: '{"prompt":"Ä 🙂"}' });
    expect(request?.headers).toEqual({
      authorization: AUTHORIZED.Authorization,
      'content-type': 'application/json',
      accept: '*/*',
    });
    const response = await answered;
    expect([response.status, await response.text()]).toEqual([418, '{"ü":1}']);
    expect([response.headers.get('Retry-After'), response.headers.get('Deprecation')]).toEqual(['7', '@1']);
  });

  it('sends no body with a GET, and takes an answer without one', async () => {
    const [tab] = await open({});
    const answered = send('/api/model-settings');
    expect((await tab?.request({ body: '' }))?.body).toBeNull();
    expect(await (await answered).text()).toBe('');
  });

  it('lets a tab set no header of the connection, nor any for other origins', async () => {
    const [tab] = await open({});
    const answered = send('/api/model-settings');
    await tab?.request({
      headers: {
        'content-length': '99',
        'access-control-allow-origin': '*',
        'set-cookie': 'a=b',
        location: '/evil',
        'content-security-policy': '',
        'x-content-type-options': '',
        refresh: '0;url=/evil',
        'clear-site-data': '*',
        'content-type': 'text/html',
      },
      body: '1',
    });
    const { headers } = await answered;
    for (const name of ['Access-Control-Allow-Origin', 'Set-Cookie', 'Location', 'Refresh', 'Clear-Site-Data'])
      expect(headers.get(name), name).toBeNull();
    expect(headers.get('Content-Length')).toBe('1');
    // As a page it could run nothing.
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.*sandbox$/);
  });

  it('says itself how to show who one is, whatever a tab says of it', async () => {
    const [tab] = await open({});
    const answered = send('/api/model-settings');
    await tab?.request({ status: 401, headers: { 'www-authenticate': 'Basic realm="evil"' }, body: '{}' });
    expect((await answered).headers.get('WWW-Authenticate')).toBe('Bearer realm="Lightwell"');
    const allowed = send('/api/model-settings');
    await tab?.request({ headers: { 'www-authenticate': 'Basic realm="evil"' }, body: '{}' });
    expect((await allowed).headers.get('WWW-Authenticate')).toBeNull();
  });

  it('streams line by line', async () => {
    const [tab] = await open({});
    const answered = post('{}');
    const { id } = (await tab?.request()) ?? { id: 0 };
    tab?.send({ type: 'begin', id, status: 200, headers: { 'content-type': 'application/x-ndjson' } });
    const reader = (await answered).body?.pipeThrough(new TextDecoderStream()).getReader();
    for (const text of ['{"progress":1}\n', '{"response":"é"}\n']) {
      tab?.send({ type: 'chunk', id, text });
      expect((await reader?.read())?.value).toBe(text);
    }
    tab?.send({ type: 'end', id });
    expect((await reader?.read())?.done).toBe(true);
  });

  it('keeps answers apart that come in another order', async () => {
    const [tab] = await open({});
    const first = post('1');
    const one = await tab?.request();
    const second = post('2');
    await tab?.request({ body: '"second"' });
    tab?.send({ type: 'answer', id: one?.id ?? 0, status: 200, headers: {}, body: '"first"' });
    expect([await (await first).json(), await (await second).json()]).toEqual(['first', 'second']);
  });
});

describe('what the bridge says by itself', () => {
  it('that no tab is open, and what to open', async () => {
    const response = await post('{}');
    expect(await response.clone().text()).toContain(`open ${server.url} in a browser`);
    expect(await failureOf(response)).toEqual([503, 'NO_TAB', '2']);
  });

  it('that a tab does not react', async () => {
    await open({});
    expect(await failureOf(await post('{}'))).toEqual([503, 'NO_TAB', '2']);
  });

  it('that the answer took longer than the tab promised', async () => {
    const [tab] = await open({ timeoutMs: 60 });
    const answered = post('{}');
    const { id } = (await tab?.request()) ?? {};
    expect(await failureOf(await answered)).toEqual([408, 'TIMEOUT', null]);
    expect(await tab?.next('cancel')).toEqual({ type: 'cancel', id });
  });

  it("that the tab's router threw", async () => {
    const [tab] = await open({});
    const answered = post('{}');
    const { id } = (await tab?.request()) ?? { id: 0 };
    tab?.send({ type: 'broken', id, reason: 'TypeError: x' });
    expect(await failureOf(await answered)).toEqual([500, 'INTERNAL', null]);
  });

  it('that a body is too large, however it is sent', async () => {
    await open({});
    expect(await failureOf(await post('x'.repeat(1001)))).toEqual([413, 'PAYLOAD_TOO_LARGE', null]);
    const body = new Blob(['x'.repeat(800), 'y'.repeat(800)]).stream();
    expect(await failureOf(await post('', { body, duplex: 'half' } as RequestInit))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      null,
    ]);
  });

  it('that too much is held, until some of it is answered', async () => {
    const [tab] = await open({});
    const held = [post('a'.repeat(1000)), post('b'.repeat(1000))];
    const ids = [(await tab?.request())?.id, (await tab?.request())?.id];
    expect(await failureOf(await post('c'.repeat(1000)))).toEqual([503, 'QUEUE_FULL', '2']);
    for (const id of ids) tab?.send({ type: 'answer', id: id ?? 0, status: 200, headers: {}, body: '1' });
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    const again = post('c'.repeat(1000));
    await tab?.request({ body: '1' });
    expect((await again).status).toBe(200);
  });

  it('that too much is held, and then counts nothing of what was refused', async () => {
    const [tab] = await open({});
    const answer = (id = 0) => tab?.send({ type: 'answer', id, status: 200, headers: {}, body: '1' });
    const held = [post('a'.repeat(1000)), post('b'.repeat(1000))];
    const ids = [(await tab?.request())?.id, (await tab?.request())?.id];
    expect(await statusOfParts('c'.repeat(600), 'c'.repeat(300))).toBe(503);
    for (const id of ids) answer(id);
    await Promise.all(held);
    const again = [post('d'.repeat(1000)), post('e'.repeat(1000)), post('f'.repeat(400))];
    for (const _ of again) answer((await tab?.request())?.id);
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('that a method is none of HTTP’s usual ones', async () => {
    const { hostname, port } = new URL(server.url);
    const status = await new Promise((resolve) => {
      httpRequest({ hostname, port, path: '/api/embed', method: 'TRACE' }, (response) =>
        resolve(response.resume().statusCode),
      ).end();
    });
    expect(status).toBe(405);
  });
});

describe('a client that goes away', () => {
  it('cancels its request in the tab', async () => {
    const [tab] = await open({});
    const controller = new AbortController();
    const answered = post('{}', { signal: controller.signal });
    const request = await tab?.request();
    controller.abort();
    await expect(answered).rejects.toThrow('abort');
    expect(await tab?.next('cancel')).toEqual({ type: 'cancel', id: request?.id });
  });

  it('cancels it in the middle of a stream', async () => {
    const [tab] = await open({});
    const controller = new AbortController();
    const answered = post('{}', { signal: controller.signal });
    const { id } = (await tab?.request()) ?? { id: 0 };
    tab?.send({ type: 'begin', id, status: 200, headers: {} });
    await answered;
    controller.abort();
    expect(await tab?.next('cancel')).toEqual({ type: 'cancel', id });
  });
});
