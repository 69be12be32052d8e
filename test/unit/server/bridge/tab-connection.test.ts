import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { MAX_FRAME_BYTES } from '../../../../server/bridge/read-frame.ts';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import { AUTHORIZED, openSocket, PRESENCE } from '../../../support/fakes/fake-tab.ts';

let server: RunningServer;

beforeEach(async () => {
  server = await startServer({ port: 0, limits: { acceptMs: 2000, marginMs: 50 } });
});
afterEach(() => server.close());

const post = (): Promise<Response> =>
  fetch(new URL('/api/embed', server.url), { method: 'POST', body: '{}', headers: AUTHORIZED });

/** A socket that has said that it is a tab, as any page of this origin can. */
async function openHostile(): Promise<WebSocket> {
  const socket = await openSocket(server.url);
  socket.send(JSON.stringify(PRESENCE));
  socket.ping();
  await once(socket, 'pong'); // by then it is known
  return socket;
}

/** Asks something, and lets the tab send what it likes when the request comes. */
async function outcomeOf(...frames: readonly unknown[]) {
  const socket = await openHostile();
  const closed = once(socket, 'close');
  const answered = post();
  const [data] = (await once(socket, 'message')) as [Buffer];
  const { id } = JSON.parse(String(data)) as { id: number };
  for (const frame of frames)
    socket.send(typeof frame === 'string' ? frame.replace('ID', String(id)) : JSON.stringify({ id, ...Object(frame) }));
  const response = await answered;
  const { code } = (await response.json()) as { code?: string };
  const [reason, text] = (await closed) as [number, Buffer];
  return { status: response.status, code, closedWith: reason, reason: String(text) };
}

const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, '1']));

const ANSWER = { type: 'answer', status: 200, headers: {}, body: '{}' };

describe('a tab that breaks the rules', () => {
  it.each([
    ['a header name with a newline', [{ ...ANSWER, headers: { 'x\r\ny': '1' } }], 'headers'],
    ['a header name longer than a reason may be', [{ ...ANSWER, headers: { ['🙂'.repeat(100)]: '1' } }], 'headers'],
    ['an empty header name', [{ ...ANSWER, headers: { '': '1' } }], 'headers'],
    ['a header value with a newline', [{ ...ANSWER, headers: { x: 'a\r\nSet-Cookie: b' } }], 'headers.x'],
    ['a header value beyond Latin-1', [{ ...ANSWER, headers: { x: '🙂' } }], 'headers.x'],
    ['a header value of 1 MB', [{ ...ANSWER, headers: { x: 'a'.repeat(1_000_000) } }], 'headers'],
    ['a thousand headers', [{ ...ANSWER, headers: numbered(1000) }], 'values'],
    ['no headers', [{ ...ANSWER, headers: null }], 'headers'],
    ['a list for headers', [{ ...ANSWER, headers: ['x'] }], 'headers'],
    ['a header that is a number', [{ ...ANSWER, headers: { 'content-length': -1 } }], 'headers.content-length'],
    ['the status 99', [{ ...ANSWER, status: 99 }], 'status'],
    ['the status 101', [{ type: 'begin', status: 101, headers: {} }], 'status'],
    ['the status 204 with a body', [{ ...ANSWER, status: 204 }], 'status'],
    ['the status 205', [{ ...ANSWER, status: 205 }], 'status'],
    ['the status 304 with a body', [{ ...ANSWER, status: 304 }], 'status'],
    ['a redirect', [{ ...ANSWER, status: 307, headers: { location: 'https://evil.example' } }], 'status'],
    ['the status 600', [{ ...ANSWER, status: 600 }], 'status'],
    ['the status 1e9', [{ ...ANSWER, status: 1e9 }], 'status'],
    ['the status 200.5', [{ ...ANSWER, status: 200.5 }], 'status'],
    ['the status as text', [{ ...ANSWER, status: '200' }], 'status'],
    ['an unknown type', [{ type: 'hello' }], 'type'],
    ['an inherited name for a type', [{ type: '__proto__' }], 'type'],
    ['a type that is inherited', ['{"__proto__":{"type":"end"},"id":ID}'], 'type'],
    ['a number for an id', [{ ...ANSWER, id: -1 }], 'id'],
    ['text for an id', ['{"type":"accepted","id":"ID"}'], 'id'],
    ['no JSON', ['{"type":"accepted","id":ID'], 'JSON'],
    ['null', ['null'], ''],
    ['NaN for a time-out', ['{"type":"presence","attention":"visible","allowedOrigins":[],"timeoutMs":NaN}'], 'JSON'],
    ['null for a time-out', [{ ...PRESENCE, timeoutMs: null }], 'timeoutMs'],
    ['a negative time-out', [{ ...PRESENCE, timeoutMs: -1 }], 'timeoutMs'],
    ['a time-out that no timer holds', [{ ...PRESENCE, timeoutMs: 2 ** 40 }], 'timeoutMs'],
    ['no body', [{ ...ANSWER, body: undefined }], 'body'],
    ['a body that is an object', [{ ...ANSWER, body: {} }], 'body'],
    ['a reason longer than a book', [{ type: 'broken', reason: 'x'.repeat(1e6) }], 'reason'],
    ['JSON a million deep', ['['.repeat(1e6)], 'levels'],
    ['JSON half a million deep, and closed', [`${'['.repeat(5e5)}${']'.repeat(5e5)}`], 'levels'],
    ['a list of a million numbers', [`[${'0,'.repeat(5e5)}0]`], 'values'],
    ['a deep field beside a body', [{ ...ANSWER, body: 'x'.repeat(1e5), more: [[[1]]] }], 'levels'],
    ['a presence with a long field of another name', [{ ...PRESENCE, more: 'x'.repeat(1e5) }], 'characters'],
    ['a chunk before begin', [{ type: 'chunk', text: 'x' }], 'begin'],
    ['end before begin', [{ type: 'accepted' }, { type: 'end' }], 'begin'],
  ])('by %s loses its line, with the reason, and the client is answered', async (_name, frames, reason) => {
    const outcome = await outcomeOf(...frames);
    expect(outcome).toMatchObject({ status: 503, code: 'NO_TAB', closedWith: 1008 });
    expect(outcome.reason).toContain(reason);
    // The server is there for the next tab.
    await openHostile();
    expect((await fetch(server.url)).status).toBeLessThan(500);
  });

  it('by a message longer than a piece of an answer can be loses its line', async () => {
    const outcome = await outcomeOf({ ...ANSWER, body: 'x'.repeat(MAX_FRAME_BYTES) });
    expect(outcome).toMatchObject({ status: 503, code: 'NO_TAB', closedWith: 1009 });
  });

  it.each([
    ['begins twice', { type: 'begin', status: 200, headers: {} }],
    ['answers what it has begun', ANSWER],
    ['accepts what it has begun', { type: 'accepted' }],
  ])('and %s breaks the answer off', async (_name, second) => {
    const socket = await openHostile();
    const closed = once(socket, 'close');
    const answered = post();
    const [data] = (await once(socket, 'message')) as [Buffer];
    const { id } = JSON.parse(String(data)) as { id: number };
    for (const frame of [{ type: 'begin', status: 200, headers: {} }, second])
      socket.send(JSON.stringify({ id, ...frame }));
    await expect(answered.then((response) => response.text())).rejects.toThrow('terminated');
    expect((await closed)[0]).toBe(1008);
  });

  it('is lost at once, though it does not hang up', async () => {
    const socket = await openHostile();
    const answered = post();
    await once(socket, 'message');
    socket.send('nonsense', () => socket.pause());
    expect((await answered).status).toBe(503);
    socket.terminate();
  });
});

describe('a tab that says more than it is asked', () => {
  it.each([
    ['an id that was never given', { ...ANSWER, id: 99 }],
    ['prototype keys among its headers', null],
    ['an end after the end', { type: 'end', id: 1 }],
    ['an answer after the end', { ...ANSWER, id: 1 }],
  ])('with %s keeps its line, and is answered for', async (name, extra) => {
    const socket = await openHostile();
    const answered = post();
    await once(socket, 'message');
    if (name.startsWith('an id')) socket.send(JSON.stringify(extra));
    const headers = '{"__proto__":"x","constructor":"y","toString":"z"}';
    if (name.startsWith('prototype'))
      socket.send(`{"type":"answer","id":1,"status":200,"headers":${headers},"body":"1"}`);
    else
      for (const frame of [
        { type: 'begin', id: 1, status: 200, headers: {} },
        { type: 'end', id: 1 },
      ])
        socket.send(JSON.stringify(frame));
    if (name.endsWith('after the end')) socket.send(JSON.stringify(extra));
    expect((await answered).status).toBe(200);
    socket.ping();
    await once(socket, 'pong');
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});
