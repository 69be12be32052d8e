import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfToken } from '../../../../src/protocol/frames/frames.ts';
import { TOKEN } from '../../../support/fakes/fake-tab.ts';
import { openHostileTabs, SECRET, type HostileTabs } from '../../../support/fakes/neighbourhood.ts';
import { openRaw } from '../../../support/fakes/raw-socket.ts';

const HEADERS_TIMEOUT_MS = 300;

let place: HostileTabs;
beforeAll(async () => {
  place = await openHostileTabs({ headersTimeoutMs: HEADERS_TIMEOUT_MS });
});
afterAll(() => place.close());

/** The real token, and the address that the page's server is reached by. */
const AUTHORIZATION = `Authorization: Bearer ${TOKEN}`;
const hash = await hashOfToken(TOKEN);

interface Parts {
  readonly line?: string;
  readonly host?: string | null;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A request as it goes over the wire; HOST stands for the server's own name. */
function http({ line = 'POST /api/embed HTTP/1.1', host = 'HOST', headers = [], body = SECRET }: Parts): string {
  const hosts = host === null ? [] : [`Host: ${host}`];
  const lengths = headers.some((each) => /^(content-length|transfer-encoding|upgrade):/i.test(each))
    ? []
    : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [line, ...hosts, ...headers, ...lengths, '', body].join('\r\n');
}

const withToken = (...headers: string[]): Parts => ({ headers: [AUTHORIZATION, ...headers] });
const bearer = (text: string): Parts => ({ headers: [`Authorization: ${text}`] });
const upgrade = (line: string, ...headers: string[]): Parts => ({
  line,
  headers: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', ...headers],
  body: '',
});
const KEY = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
const PROTOCOL = 'Sec-WebSocket-Protocol: lightwell.bridge.4';
const OWN = 'Origin: http://HOST';

/** What is sent, and how the first answer begins; null: the connection is closed without one. */
const ROWS: readonly (readonly [name: string, sent: Parts | string, status: number | null])[] = [
  ['no token', {}, 401],
  ['an empty token', bearer('Bearer '), 401],
  ['a space for a token', bearer('Bearer  '), 401],
  ['the word undefined for a token', bearer('Bearer undefined'), 401],
  ['a name for a token', bearer('Bearer $TOKEN'), 401],
  ['an ellipsis for a token', bearer('Bearer …'), 401],
  ['the hash for the token', bearer(`Bearer ${hash}`), 401],
  ['the token in capitals', bearer(`Bearer ${TOKEN.toUpperCase()}`), 401],
  ['two tokens in one header', bearer(`Bearer ${TOKEN}, Bearer ${TOKEN}`), 401],
  ['another scheme', bearer(`Basic ${TOKEN}`), 401],
  ['a wrong token before the right one', { headers: [`Authorization: Bearer wrong`, AUTHORIZATION] }, 401],
  ['the token in the address', { line: `POST /api/embed?token=${TOKEN} HTTP/1.1` }, 401],
  ['the token in a cookie', { headers: [`Cookie: token=${TOKEN}`] }, 401],
  ['an inherited name for an operation', { line: 'POST /api/__proto__ HTTP/1.1' }, 401],
  ['the bridge for an operation', { line: 'GET /api/bridge HTTP/1.1' }, 401],
  ['a foreign name (DNS rebinding)', { ...withToken(), host: 'evil.example' }, 403],
  ['a foreign name with our port', { ...withToken(), host: 'evil.example:5448' }, 403],
  ['a foreign name below localhost', { ...withToken(), host: 'localhost.evil.example' }, 403],
  ['our name as a user of theirs', { ...withToken(), host: 'localhost@evil.example' }, 403],
  ['another address of the network', { ...withToken(), host: '192.168.1.2' }, 403],
  ['all addresses for a name', { ...withToken(), host: '0.0.0.0' }, 403],
  ['an empty name', { ...withToken(), host: '' }, 403],
  ['no name in HTTP/1.0', { ...withToken(), line: 'POST /api/embed HTTP/1.0', host: null }, 403],
  ['no name in HTTP/1.1', { ...withToken(), host: null }, 400],
  ['two names, ours first', withToken('Host: evil.example'), 403],
  ['two names, theirs first', { ...withToken('Host: HOST'), host: 'evil.example' }, 403],
  ['a foreign name for a file', { line: 'GET / HTTP/1.1', host: 'evil.example', body: '' }, 403],
  ['a foreign page', withToken('Origin: https://other.example'), 403],
  ['another port of this machine', withToken('Origin: http://localhost:1'), 403],
  ['our page over https', withToken('Origin: https://HOST'), 403],
  ['two origins', withToken(OWN, 'Origin: https://other.example'), 403],
  ['a picture on a foreign page', withToken('Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'), 403],
  ['a form on another port', withToken('Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: navigate'), 403],
  ['our origin, from elsewhere', withToken(OWN, 'Sec-Fetch-Site: cross-site'), 403],
  ['a page that a spy alone lets in, without token', { headers: ['Origin: https://evil.example'] }, 401],
  ['a page that a spy alone lets in, with token', withToken('Origin: https://evil.example'), 401],
  ['a sandboxed page that a spy alone lets in', withToken('Origin: null'), 401],
  ['a script of a foreign page for a file', fileFor('Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: script'), 403],
  [
    'a frame of a foreign page',
    fileFor('Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'),
    403,
  ],
  ['a fetch of a foreign page for a file', fileFor('Origin: https://other.example'), 403],
  [
    'a form of a foreign page for a file',
    { ...fileFor('Origin: null', 'Sec-Fetch-Site: cross-site'), line: 'POST / HTTP/1.1' },
    403,
  ],
  ['a line of a foreign page', upgrade('GET /api/bridge HTTP/1.1', KEY, PROTOCOL, 'Origin: https://evil.example'), 403],
  ['a line of no page', upgrade('GET /api/bridge HTTP/1.1', KEY, PROTOCOL), 403],
  ['a line from elsewhere', upgrade('GET /api/bridge HTTP/1.1', KEY, PROTOCOL, OWN, 'Sec-Fetch-Site: same-site'), 403],
  [
    'a line under a foreign name',
    { ...upgrade('GET /api/bridge HTTP/1.1', KEY, PROTOCOL, 'Origin: http://evil.example'), host: 'evil.example' },
    403,
  ],
  [
    'a line of an older page',
    upgrade('GET /api/bridge HTTP/1.1', KEY, OWN, 'Sec-WebSocket-Protocol: lightwell.bridge.1'),
    426,
  ],
  ['a line somewhere else', upgrade('GET /api/embed HTTP/1.1', KEY, PROTOCOL, OWN), 404],
  ['a line by its whole address', upgrade('GET http://HOST/api/bridge HTTP/1.1', KEY, PROTOCOL, OWN), 101],
  [
    'a line by the address of another server',
    upgrade('GET http://evil.example/api/bridge HTTP/1.1', KEY, PROTOCOL, OWN),
    404,
  ],
  ['a line without a key', upgrade('GET /api/bridge HTTP/1.1', PROTOCOL, OWN), 400],
  ['a line by POST', upgrade('POST /api/bridge HTTP/1.1', KEY, PROTOCOL, OWN), 405],
  ['a header with a line break', withToken('X: a\nInjected: b'), 400],
  ['a header that is folded', withToken('X: a\r\n b'), 400],
  ['a header name with a space', withToken('X Y: a'), 400],
  ['a header with a null', withToken('X: \0'), 400],
  ['a line break in the address, encoded', { ...withToken(), line: 'POST /api/embed%0d%0aX:%20y HTTP/1.1' }, 200],
  ['a header of 64 kB', withToken(`X: ${'a'.repeat(65_536)}`), 431],
  ['five thousand headers', withToken(...Array.from({ length: 5000 }, (_, at) => `X${at}: y`)), 431],
  ['an address of 64 kB', { ...withToken(), line: `POST /api/embed?${'a'.repeat(65_536)} HTTP/1.1` }, 431],
  ['two lengths', withToken('Content-Length: 5', 'Content-Length: 6'), 400],
  ['a negative length', withToken('Content-Length: -1'), 400],
  ['a length that no number holds', withToken(`Content-Length: ${'9'.repeat(40)}`), 400],
  ['a length and chunks', withToken('Content-Length: 5', 'Transfer-Encoding: chunked'), 400],
  ['chunks of no size', { ...withToken('Transfer-Encoding: chunked'), body: 'xyz\r\n' }, 400],
  ['a chunk beyond all memory', { ...withToken('Transfer-Encoding: chunked'), body: `${'f'.repeat(20)}\r\n` }, 400],
  ['an unknown transfer coding', withToken('Transfer-Encoding: gzip'), 400],
  ['an unknown expectation', withToken('Expect: miracles'), 417],
  ['a method of its own', { ...withToken(), line: 'STEAL /api/embed HTTP/1.1' }, 400],
  ['TRACE', { ...withToken(), line: 'TRACE /api/embed HTTP/1.1' }, 405],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n', null],
  ['the address of another server', { ...withToken(), line: 'POST http://evil.example/api/embed HTTP/1.1' }, 421],
  ['an address over TLS', { ...withToken(), line: 'POST https://HOST/api/embed HTTP/1.1' }, 421],
  [
    'an address of ours that names a foreign host',
    { ...withToken(), line: 'POST http://HOST/api/embed HTTP/1.1', host: 'evil.example' },
    403,
  ],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
];

function fileFor(...headers: string[]): Parts {
  return { line: 'GET /index.html HTTP/1.1', headers, body: '' };
}

/** The bytes of a row, at the server's own address. */
function bytesOf(sent: Parts | string): string {
  return (typeof sent === 'string' ? sent : http(sent)).replaceAll('HOST', new URL(place.server.url).host);
}

/** The status of the first answer. */
const statusOf = (received: string): number | null => {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(received) ?? [];
  return status === undefined ? null : Number(status);
};

async function answerTo(sent: Parts | string): Promise<number | null> {
  const raw = await openRaw(place.server.url);
  raw.send(bytesOf(sent));
  while (statusOf(raw.received()) === null && !raw.isClosed()) await raw.more();
  raw.destroy();
  return statusOf(raw.received());
}

describe('a client', () => {
  it.each(ROWS)('with %s gets its answer, and no tab sees it', async (_name, sent, status) => {
    expect(await answerTo(sent)).toBe(status);
    await place.isWell();
  });

  it.each([
    ['that sends its head byte by byte', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['that sends nothing at all', ''],
  ])('%s is cut off', async (_name, head) => {
    const raw = await openRaw(place.server.url);
    const drip = setInterval(() => raw.send('a'), HEADERS_TIMEOUT_MS / 10);
    if (head === '') clearInterval(drip);
    raw.send(head);
    await raw.closed();
    clearInterval(drip);
    await place.isWell();
  });

  it('whose connection is reset finds it closed, and no error', async () => {
    const resetting = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await once(resetting.listen(0, '127.0.0.1'), 'listening');
    const raw = await openRaw(`http://127.0.0.1:${(resetting.address() as AddressInfo).port}`);
    raw.send('G');
    await raw.closed();
    expect(raw.isClosed()).toBe(true);
    resetting.close();
  });

  it('that says less than it announced, and leaves, is forgotten', async () => {
    const raw = await openRaw(place.server.url);
    raw.send(bytesOf({ ...withToken('Content-Length: 1000'), body: SECRET }));
    raw.destroy();
    await place.isWell();
  });

  it('that says more than it announced has said a second, broken request', async () => {
    const raw = await openRaw(place.server.url);
    raw.send(bytesOf({ ...withToken('Content-Length: 2'), body: '{}GARBAGE\r\n\r\n' }));
    await raw.closed();
    expect(raw.received()).toContain('400 Bad Request'); // before or after the answer to the first
    await place.isWell();
  });

  it('that sends a hundred requests at once is answered in their order', async () => {
    const raw = await openRaw(place.server.url);
    const bodies = Array.from({ length: 100 }, (_, at) => `{"n":${at}}`);
    raw.send(bodies.map((body) => bytesOf({ ...withToken(), body })).join(''));
    const heard = () => [...raw.received().matchAll(/\{"heard":"\{\\"n\\":(\d+)\}"\}/g)].map(([, n]) => Number(n));
    while (heard().length < bodies.length) await raw.more();
    expect(heard()).toEqual(bodies.map((_, at) => at));
    raw.destroy();
    await place.isWell();
  });

  it('that asks for a thousand things without a token reaches nobody', async () => {
    const sent = Array.from({ length: 1000 }, () => bytesOf({})).join('');
    const raw = await openRaw(place.server.url);
    raw.send(sent);
    const answered = () => raw.received().split('HTTP/1.1 401').length - 1;
    while (answered() < 1000 && !raw.isClosed()) await raw.more();
    expect(answered()).toBe(1000);
    raw.destroy();
    await place.isWell();
  });
});
