import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../server/serve.ts';
import { AUTHORIZED, openSocket, openTab } from '../../support/fakes/fake-tab.ts';

const ALLOWED = 'https://notebook.example';
const OTHER = 'https://other.example';

let server: RunningServer;

beforeEach(async () => {
  server = await startServer({ port: 0 });
});
afterEach(() => server.close());

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request whose `Origin` and `Host` are chosen, which `fetch` does not allow. */
function send(method: string, headers: OutgoingHttpHeaders): Promise<Reply> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    httpRequest(
      { hostname, port, path: '/api/model-settings', method, headers: { ...AUTHORIZED, ...headers } },
      (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
      },
    )
      .on('error', reject)
      .end();
  });
}

const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' };

describe('a page of another origin', () => {
  it('may ask and read when the user of an open tab allows it', async () => {
    const tab = await openTab(server.url, { allowedOrigins: [ALLOWED] });
    const before = await send('OPTIONS', { ...asked, Origin: ALLOWED });
    expect(before.status).toBe(204);
    expect(before.headers).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-headers': 'Authorization, Content-Type, Accept, *',
      'access-control-allow-methods': 'GET, POST',
      vary: 'Origin',
    });
    const answered = send('POST', { Origin: ALLOWED });
    await tab.request({ status: 503, headers: { 'retry-after': '2' }, body: '{}' });
    const { status, headers } = await answered;
    expect([status, headers['access-control-allow-origin']]).toEqual([503, ALLOWED]);
    expect(headers['access-control-expose-headers']).toContain('Retry-After');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('is refused, reads nothing and reaches no tab when no user does', async () => {
    const tab = await openTab(server.url, { allowedOrigins: [ALLOWED] });
    for (const Origin of [OTHER, 'null', `${ALLOWED}.evil.example`, 'http://localhost:1']) {
      for (const reply of [await send('OPTIONS', { ...asked, Origin }), await send('POST', { Origin })]) {
        expect(reply.status).toBe(403);
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
    expect(tab.received).toEqual([]);
  });

  it('is shown only to tabs that allow it', async () => {
    const strict = await openTab(server.url, { attention: 'focused' });
    const open = await openTab(server.url, { attention: 'hidden', allowedOrigins: [ALLOWED] });
    const answered = send('POST', { Origin: ALLOWED });
    await open.request({ body: '1' });
    expect((await answered).status).toBe(200);
    expect(strict.received).toEqual([]);
  });

  it('is refused from the moment that the user takes it off the list', async () => {
    const tab = await openTab(server.url, { allowedOrigins: [ALLOWED] });
    expect((await send('OPTIONS', { ...asked, Origin: ALLOWED })).status).toBe(204);
    await tab.say({ allowedOrigins: [] });
    expect((await send('OPTIONS', { ...asked, Origin: ALLOWED })).status).toBe(403);
  });
});

describe('our own page', () => {
  it('needs nobody’s leave', async () => {
    const tab = await openTab(server.url);
    const answered = send('POST', { Origin: server.url.replace(/\/$/, '') });
    await tab.request({ body: '1' });
    expect((await answered).status).toBe(200);
  });

  it('asks the tab, not the server, what an OPTIONS that is no preflight means', async () => {
    const tab = await openTab(server.url);
    const answered = send('OPTIONS', {});
    await tab.request({ status: 405, body: '{}' });
    expect((await answered).status).toBe(405);
  });
});

describe('a foreign name for this machine', () => {
  it.each(['evil.example', 'evil.example:8080', 'localhost.evil.example', '192.168.1.2:8080'])(
    'is refused: %s',
    async (Host) => {
      const tab = await openTab(server.url);
      expect((await send('GET', { Host })).status).toBe(403);
      expect(tab.received).toEqual([]);
    },
  );

  it('is not refused behind a forwarded port', async () => {
    const tab = await openTab(server.url);
    const answered = send('GET', { Host: '127.0.0.1:8080' });
    await tab.request({ body: '1' });
    expect((await answered).status).toBe(200);
  });
});

describe('the line for tabs', () => {
  it.each([
    ['a foreign page', { origin: 'https://evil.example' }, 403],
    ['another port of this machine', { origin: 'http://localhost:1' }, 403],
    ['a foreign name for this machine', { origin: 'http://evil.example', host: 'evil.example' }, 403],
    ['a page of another version', { subprotocol: 'lightwell.bridge.0' }, 426],
  ])('is closed to %s', async (_name, options, status) => {
    await expect(openSocket(server.url, options)).rejects.toThrow(`Unexpected server response: ${status}`);
  });

  it('is open to the page under both of its names', async () => {
    const socket = await openSocket(server.url.replace('localhost', '127.0.0.1'));
    expect(socket.readyState).toBe(socket.OPEN);
  });

  it('is closed to what sends no origin', async () => {
    const { hostname, port } = new URL(server.url);
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const status = await new Promise((resolve) => {
      httpRequest({ hostname, port, path: '/api/bridge', headers }, (response) =>
        resolve(response.resume().statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });
});
