import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../server/serve.ts';
import { AUTHORIZED, type FakeTab, openTab } from '../../support/fakes/fake-tab.ts';
import { openRaw } from '../../support/fakes/raw-socket.ts';

let server: RunningServer;
let tab: FakeTab;

beforeAll(async () => {
  server = await startServer({ port: 0 });
  tab = await openTab(server.url);
});
afterAll(() => server.close());

/** What Java's client sends first, and `curl --http2`. */
const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAA'];
const BODY = '{"prompt":"é"}';

function head(target: string, headers: readonly string[]): string {
  const all = [`Host: ${new URL(server.url).host}`, `Authorization: ${AUTHORIZED.Authorization}`, ...headers];
  return [`POST ${target} HTTP/1.1`, ...all, '', ''].join('\r\n');
}

const length = `Content-Length: ${Buffer.byteLength(BODY)}`;
const chunked = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

/** Sends the parts one after another, and returns what the tab was asked and all that was received. */
async function exchange(...parts: readonly string[]) {
  const raw = await openRaw(server.url);
  for (const part of parts) {
    raw.send(part);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const request = await tab.request({ body: '"heard"' });
  while (!raw.received().includes('"heard"') && !raw.isClosed()) await raw.more();
  return { raw, request, received: raw.received() };
}

describe('a request', () => {
  it.each([
    ['that offers HTTP/2', () => [head('/api/embed?nice=true', [...H2C, length]) + BODY]],
    ['that offers HTTP/2 and sends its body later', () => [head('/api/embed?nice=true', [...H2C, length]), BODY]],
    [
      'that offers HTTP/2 and sends chunks',
      () => [head('/api/embed?nice=true', [...H2C, 'Transfer-Encoding: chunked']), chunked],
    ],
    [
      'that offers TLS',
      () => [head('/api/embed?nice=true', ['Upgrade: TLS/1.0', 'Connection: upgrade', length]) + BODY],
    ],
    ['with a whole address', () => [head(`${server.url}api/embed?nice=true`, [length]) + BODY]],
    ['with a whole address by another name', () => [head('HTTP://127.0.0.1/api/embed?nice=true', [length]) + BODY]],
    [
      'that offers HTTP/2 with a whole address',
      () => [head(`${server.url}api/embed?nice=true`, [...H2C, length]) + BODY],
    ],
  ])('%s is answered', async (_name, parts) => {
    const { raw, request, received } = await exchange(...parts());
    expect([request.method, request.path, request.body]).toEqual(['POST', '/api/embed?nice=true', BODY]);
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    raw.destroy();
  });

  it('that waits to be told to go on is told, and answered', async () => {
    const { raw, received } = await exchange(head('/api/embed', [length, 'Expect: 100-continue']), BODY);
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    raw.destroy();
  });

  it('leaves its connection to the next, after an offer too', async () => {
    const { raw, received } = await exchange(head('/api/embed', [...H2C, length]) + BODY);
    raw.send(head('/api/embed', [...H2C, length]) + BODY);
    await tab.request({ body: '"again"' });
    while (!raw.received().includes('"again"') && !raw.isClosed()) await raw.more();
    expect(raw.received().slice(received.length)).toMatch(/^HTTP\/1\.1 200 /);
    raw.destroy();
  });

  it('for a file may have these forms as well', async () => {
    const answers = [];
    for (const target of ['/version.none', `${server.url}version.none`]) {
      const raw = await openRaw(server.url);
      raw.send(head(target, H2C).replace('POST', 'GET'));
      while (!raw.received().includes('\r\n\r\n') && !raw.isClosed()) await raw.more();
      answers.push(/^HTTP\/1\.1 (\d+)[^]*Not found/.test(raw.received()));
      raw.destroy();
    }
    expect(answers).toEqual([true, true]);
  });
});
