import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createResponder } from '../../../src/bridge/responder.ts';
import { longBodyOf } from '../../../src/contract/wire/long-body.ts';
import { readFrame } from '../../../server/bridge/read-frame.ts';
import type { FromTab, ToTab } from '../../../src/protocol/frames/frames.ts';

const ORIGIN = 'http://localhost:5448';

/** A responder over a router made up of one function, and what it says. */
function responderOver(
  answer: (request: Request) => Response | Promise<Response>,
  post: (frame: FromTab) => unknown = () => undefined,
) {
  const said: FromTab[] = [];
  const cut = vi.fn();
  const fetch = async (request: Request): Promise<Response> => answer(request);
  const responder = createResponder({ fetch }, ORIGIN, {
    post(frame) {
      post(frame);
      said.push(frame);
    },
    cut,
  });
  const ask = (more: Partial<Extract<ToTab, { type: 'request' }>> = {}): void =>
    responder.receive({ type: 'request', id: 7, method: 'POST', path: '/api/embed', headers: {}, body: '{}', ...more });
  return { ...responder, ask, said, cut, types: () => said.map(({ type }) => type) };
}

const settled = (types: () => string[]) => eventually(() => expect(types().at(-1)).toMatch(/answer|end|broken/));

describe('a responder', () => {
  it('hands the router what came, accepts at once and answers in one piece', async () => {
    const seen: unknown[] = [];
    const { ask, said, types } = responderOver(async (request) => {
      seen.push(request.method, request.url, request.headers.get('authorization'), await request.text());
      return Response.json({ ok: 'é' }, { status: 201, headers: { 'Retry-After': '3' } });
    });
    ask({ path: '/api/embed?nice=true', headers: { authorization: 'Bearer x' }, body: '{"ä":1}' });
    expect(types()).toEqual(['accepted']);
    await settled(types);
    expect(seen).toEqual(['POST', `${ORIGIN}/embed?nice=true`, 'Bearer x', '{"ä":1}']);
    const headers = { 'content-type': 'application/json', 'retry-after': '3' };
    expect(said).toEqual([
      { type: 'accepted', id: 7 },
      { type: 'answer', id: 7, status: 201, headers, body: '{"ok":"é"}' },
    ]);
  });

  it.each([
    ['/api/embed', '/embed'],
    ['/api/v1/embed', '/embed'],
    ['/api', '/'],
    ['/api/', '/'],
    ['/api/v1?a=b', '/?a=b'],
    ['/api/v10/embed', '/v10/embed'],
    ['/api//evil.example/embed', '//evil.example/embed'],
  ])('takes %s for %s', async (path, operation) => {
    const seen: string[] = [];
    const { ask, types } = responderOver(({ url }) => {
      seen.push(url);
      return new Response('');
    });
    ask({ path });
    await settled(types);
    expect(seen).toEqual([`${ORIGIN}${operation}`]);
  });

  it('passes a streamed answer on as it comes, without cutting a character', async () => {
    const bytes = new TextEncoder().encode('{"a":"é"}\n');
    const { ask, said, types } = responderOver(() => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
    });
    ask();
    await settled(types);
    expect([types().slice(0, 2), types().at(-1)]).toEqual([['accepted', 'begin'], 'end']);
    expect(said.map((frame) => (frame.type === 'chunk' ? frame.text : '')).join('')).toBe('{"a":"é"}\n');
  });

  it('sends a long answer in pieces, each of which the server takes as a frame', async () => {
    const body = JSON.stringify({ a: '🙂"\u2028'.repeat(300_000) });
    const { ask, said, types } = responderOver(() => new Response(body));
    ask();
    await settled(types);
    expect([types().slice(0, 2), types().at(-1)]).toEqual([['accepted', 'begin'], 'end']);
    const pieces = said.flatMap((frame) => (frame.type === 'chunk' ? [frame.text] : []));
    expect(pieces.join('') === body).toBe(true);
    for (const frame of said) expect(readFrame(JSON.stringify(frame))).toEqual(frame);
  });

  it('stops in the middle of a long answer when it is cancelled', async () => {
    const { ask, receive, said, types } = responderOver(
      () => new Response('x'.repeat(3_000_000)),
      ({ type }) => type === 'chunk' && queueMicrotask(() => receive({ type: 'cancel', id: 7 })),
    );
    ask();
    await eventually(() => expect(types()).toContain('chunk'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(said.filter(({ type }) => type === 'chunk')).toHaveLength(1);
  });

  it('says so when the router throws, or cannot be asked so', async () => {
    const thrown = responderOver(() => Promise.reject(new TypeError('x')));
    thrown.ask();
    await settled(thrown.types);
    expect(thrown.said.at(-1)).toEqual({ type: 'broken', id: 7, reason: 'TypeError: x' });
    const impossible = responderOver(() => new Response(''));
    impossible.ask({ method: 'GET', body: 'a GET has none' });
    await settled(impossible.types);
    expect(impossible.types()).toEqual(['accepted', 'broken']);
  });

  it.each(['cancel', 'dispose'] as const)('aborts the request on %s, and says no more of it', async (how) => {
    let signal: AbortSignal | undefined;
    const { ask, receive, dispose, types } = responderOver((request) => {
      signal = request.signal;
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    });
    ask();
    await eventually(() => expect(signal).toBeDefined());
    if (how === 'cancel') receive({ type: 'cancel', id: 7 });
    else dispose();
    await eventually(() => expect(signal?.aborted).toBe(true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(types()).toEqual(['accepted']);
  });

  it('waits for all parts of a long body, and hands them on as one text', async () => {
    const seen: (string | undefined)[] = [];
    const { ask, receive, types } = responderOver((request) => {
      seen.push(longBodyOf(request));
      return new Response('');
    });
    ask({ body: null, parts: 2 });
    expect(types()).toEqual(['accepted']);
    for (const text of ['{"a":', '1}']) {
      expect(seen).toEqual([]);
      receive({ type: 'part', id: 7, text });
    }
    await settled(types);
    expect(seen).toEqual(['{"a":1}']);
  });

  it.each(['cancel', 'dispose'] as const)('forgets a long body on %s, whose parts may still come', async (how) => {
    const seen: Request[] = [];
    const { ask, receive, dispose, types } = responderOver((request) => {
      seen.push(request);
      return new Response('');
    });
    ask({ body: null, parts: 2 });
    receive({ type: 'part', id: 7, text: '1' });
    if (how === 'cancel') receive({ type: 'cancel', id: 7 });
    else dispose();
    receive({ type: 'part', id: 7, text: '2' });
    ask({ id: 8 });
    await settled(types);
    expect(seen).toHaveLength(1);
    expect(types()).toEqual(['accepted', 'accepted', 'answer']);
  });

  it('says that an answer is broken which cannot be sent, and ends what still runs', async () => {
    let signal: AbortSignal | undefined;
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode('{}\n')) });
    const { ask, said, cut, types } = responderOver(
      (request) => {
        signal = request.signal;
        return new Response(stream, { headers: { 'Content-Type': 'application/x-ndjson' } });
      },
      ({ type }) => {
        if (type === 'chunk') throw new DOMException('no memory', 'DataCloneError');
      },
    );
    ask();
    await settled(types);
    expect(types()).toEqual(['accepted', 'begin', 'broken']);
    expect(said.at(-1)).toMatchObject({ reason: 'DataCloneError: no memory' });
    expect(cut).not.toHaveBeenCalled();
    await eventually(() => expect(signal?.aborted).toBe(true));
  });

  it.each(['accepted', 'answer'])('cuts the line when nothing can be sent from %s on', async (from) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let isLost = false;
    const asked = vi.fn();
    const { ask, cut, types } = responderOver(
      (request) => {
        asked(request.url);
        return new Response('1');
      },
      ({ type }) => {
        isLost ||= type === from;
        if (isLost) throw new DOMException('closing', 'InvalidStateError');
      },
    );
    ask();
    await eventually(() => expect(cut).toHaveBeenCalledOnce());
    expect(types()).toEqual(from === 'accepted' ? [] : ['accepted']);
    expect(asked).toHaveBeenCalledTimes(from === 'accepted' ? 0 : 1);
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it('lets a cancel of something else pass', async () => {
    const { ask, receive, types } = responderOver(() => new Response(''));
    ask();
    receive({ type: 'cancel', id: 8 });
    await settled(types);
    expect(types()).toEqual(['accepted', 'answer']);
  });
});
