import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startServer, type RunningServer } from '../../../../server/serve.ts';
import { hashOfToken } from '../../../../src/protocol/frames/frames.ts';
import { eventually } from '../../../support/eventually.ts';
import { AUTHORIZED, openSocket, openTab } from '../../../support/fakes/fake-tab.ts';

const STREAM = { 'content-type': 'application/x-ndjson' };

let server: RunningServer;

beforeEach(async () => {
  server = await startServer({ port: 0, limits: { acceptMs: 150, marginMs: 50, maxPending: 2, maxTabs: 5 } });
});
afterEach(() => server.close());

const post = (headers: Record<string, string> = AUTHORIZED): Promise<Response> =>
  fetch(new URL('/api/embed', server.url), { method: 'POST', body: '{}', headers });

async function outcomeOf(answered: Promise<Response>): Promise<unknown[]> {
  const response = await answered;
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code ?? body];
}

describe('several tabs', () => {
  it('are asked as they are looked at: the focused one, then a visible one, then the one looked at last', async () => {
    const hidden = await openTab(server.url, { attention: 'hidden' });
    const first = await openTab(server.url, { attention: 'visible' });
    const second = await openTab(server.url, { attention: 'visible' });
    const asked = async (tab: typeof hidden): Promise<unknown[]> => {
      const answered = post();
      await tab.request({ body: '"here"' });
      return outcomeOf(answered);
    };
    expect(await asked(second)).toEqual([200, 'here']);
    await first.say({ attention: 'focused' });
    expect(await asked(first)).toEqual([200, 'here']);
    await first.say({ attention: 'visible' });
    expect(await asked(first)).toEqual([200, 'here']);
    await Promise.all([first.close(), second.close()]);
    expect(await asked(hidden)).toEqual([200, 'here']);
  });

  it('stand in once for one that is closed before it answered', async () => {
    const [last, second, first] = [await openTab(server.url), await openTab(server.url), await openTab(server.url)];
    const answered = post();
    await first.request();
    await first.close();
    await second.request();
    await second.close();
    expect(await outcomeOf(answered)).toEqual([503, 'NO_TAB']);
    expect(last.received).toEqual([]);
  });

  it('get a long body in parts once they accept its request, and once only', async () => {
    const tab = await openTab(server.url);
    const body = JSON.stringify({ prompt: 'Ä🙂"'.repeat(200_000) });
    const answered = fetch(new URL('/api/embed', server.url), { method: 'POST', body, headers: AUTHORIZED });
    const request = await tab.next('request');
    expect(request.body).toBeNull();
    const { id, parts = 0 } = request;
    expect(tab.received).toEqual([request]);
    tab.send({ type: 'accepted', id });
    tab.send({ type: 'accepted', id });
    const texts: string[] = [];
    while (texts.length < parts) texts.push((await tab.next('part')).text);
    expect(texts.join('') === body).toBe(true);
    tab.send({ type: 'answer', id, status: 200, headers: {}, body: '"read"' });
    expect(await outcomeOf(answered)).toEqual([200, 'read']);
    expect(tab.received.filter(({ type }) => type === 'part')).toHaveLength(parts);
  });

  it('stand in for one that is frozen, which is told to forget the request, and asked last from then on', async () => {
    const [awake, frozen] = [await openTab(server.url), await openTab(server.url)];
    const answered = post();
    await awake.request({ body: '1' });
    expect(await outcomeOf(answered)).toEqual([200, 1]);
    expect((await frozen.next('cancel')).type).toBe('cancel');
    const again = post();
    await awake.request({ body: '2' });
    expect(await outcomeOf(again)).toEqual([200, 2]);
    await frozen.say({});
    const thawed = post();
    expect(frozen.received.filter(({ type }) => type === 'request')).toHaveLength(1);
    await frozen.next('request');
    await frozen.request({ body: '3' });
    expect(await outcomeOf(thawed)).toEqual([200, 3]);
  });
});

describe('a token', () => {
  const OTHER = 'c'.repeat(64);
  const authorized = (token: string) => ({ Authorization: `Bearer ${token}` });

  it('names the tabs that may see a request; of those the one looked at last is asked', async () => {
    const other = await openTab(server.url, { attention: 'focused', tokenHash: await hashOfToken(OTHER) });
    const [mine, latest] = [await openTab(server.url), await openTab(server.url)];
    const answered = post();
    await latest.request({ body: '"mine"' });
    expect(await outcomeOf(answered)).toEqual([200, 'mine']);
    const others = post(authorized(OTHER));
    await other.request({ body: '"other"' });
    expect(await outcomeOf(others)).toEqual([200, 'other']);
    expect([mine.received.length, latest.received.length, other.received.length]).toEqual([0, 1, 1]);
  });

  it('that no tab has is refused by the server', async () => {
    const tabs = [await openTab(server.url), await openTab(server.url)];
    for (const headers of [authorized(OTHER), authorized('x'), {}])
      expect(await outcomeOf(post(headers))).toEqual([401, 'UNAUTHORIZED']);
    expect(tabs.flatMap(({ received }) => received)).toEqual([]);
  });

  it('that was replaced leads to the tab no more, and the new one does', async () => {
    const tab = await openTab(server.url);
    await tab.say({ tokenHash: await hashOfToken(OTHER) });
    expect(await outcomeOf(post())).toEqual([401, 'UNAUTHORIZED']);
    const answered = post(authorized(OTHER));
    await tab.request({ body: '1' });
    expect(await outcomeOf(answered)).toEqual([200, 1]);
  });

  it('whose tab went away while it was asked leads to no other', async () => {
    const other = await openTab(server.url, { tokenHash: await hashOfToken(OTHER) });
    const tab = await openTab(server.url);
    const answered = post();
    await tab.request();
    await tab.close();
    expect(await outcomeOf(answered)).toEqual([503, 'NO_TAB']);
    expect(other.received).toEqual([]);
  });
});

describe('the server', () => {
  it('gives one tab no more than it may owe, and no less', async () => {
    const tab = await openTab(server.url);
    const held = [post(), post()];
    const ids = [(await tab.next('request')).id, (await tab.next('request')).id];
    expect(await outcomeOf(post())).toEqual([503, 'QUEUE_FULL']);
    for (const id of ids) tab.send({ type: 'answer', id, status: 200, headers: {}, body: '1' });
    expect(await Promise.all(held.map(outcomeOf))).toEqual([
      [200, 1],
      [200, 1],
    ]);
    const again = post();
    await tab.request({ body: '2' });
    expect(await outcomeOf(again)).toEqual([200, 2]);
  });

  it('takes only so many lines', async () => {
    const sockets = [];
    for (let count = 0; count < 5; count += 1) sockets.push(await openSocket(server.url));
    await expect(openSocket(server.url)).rejects.toThrow('503');
    sockets[0]?.terminate();
    await eventually(async () => expect((await openSocket(server.url)).readyState).toBe(WebSocket.OPEN));
  });
});

describe('the only tab', () => {
  it('that is closed in the middle leaves a 503 at once, to be sent again', async () => {
    const tab = await openTab(server.url);
    const answered = post();
    await tab.request();
    await tab.close();
    const response = await answered;
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2']);
  });

  it.each([
    ['is closed', 'NO_TAB', 503],
    ['takes too long', 'TIMEOUT', 408],
    ['throws', 'INTERNAL', 500],
  ])('that %s in the middle of a stream ends it with the failure', async (what, code, status) => {
    const tab = await openTab(server.url, { timeoutMs: 100 });
    const answered = post();
    const { id } = await tab.request();
    tab.send({ type: 'begin', id, status: 200, headers: STREAM });
    tab.send({ type: 'chunk', id, text: '{"progress":1}\n' });
    const response = await answered;
    if (what === 'is closed') await tab.close();
    if (what === 'throws') tab.send({ type: 'broken', id, reason: 'Error: x' });
    const lines = (await response.text()).trim().split('\n');
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ failure: { code, status } });
  });

  it('that is closed in the middle of anything else breaks the connection', async () => {
    const tab = await openTab(server.url);
    const answered = post();
    const { id } = await tab.request();
    tab.send({ type: 'begin', id, status: 200, headers: { 'content-type': 'application/json' } });
    tab.send({ type: 'chunk', id, text: '[1, ' });
    const response = await answered;
    await tab.close();
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('a line', () => {
  it.each([
    ['no JSON', 'hello'],
    ['no frame', '{"type":"request"}'],
    ['a field of another type', '{"type":"chunk","id":1,"text":2}'],
    ['an inherited name', '{"type":"constructor"}'],
    ['bytes', Buffer.from('{"type":"end","id":1}')],
  ])('that carries %s is cut', async (_name, data) => {
    const socket = await openSocket(server.url);
    socket.send(data);
    expect((await once(socket, 'close'))[0]).toBe(1008);
  });

  it('may speak of a request that nobody waits for any more', async () => {
    const tab = await openTab(server.url);
    tab.send({ type: 'end', id: 99 });
    const answered = post();
    await tab.request({ body: '1' });
    expect(await outcomeOf(answered)).toEqual([200, 1]);
  });

  it('counts as a tab only once it has said what it is', async () => {
    await openSocket(server.url);
    expect(await outcomeOf(post())).toEqual([503, 'NO_TAB']);
  });

  it('is cut when the server stops, and so are the connections of waiting requests', async () => {
    const tab = await openTab(server.url);
    const socket = await openSocket(server.url);
    const gone = once(socket, 'close');
    const outcome = post().then(String, (error: Error) => error.message);
    await tab.next('request');
    await server.close();
    expect((await gone)[0]).toBe(1001);
    expect(await outcome).toBe('fetch failed');
  });

  it('does not keep the server from stopping when its tab is frozen', async () => {
    const socket = await openSocket(server.url);
    socket.pause();
    await server.close(); // does not hang
    socket.terminate();
  });
});
