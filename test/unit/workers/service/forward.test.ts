import { describe, expect, it, vi } from 'vitest';
import type { FromTab, ToTab } from '../../../../src/protocol/frames/frames.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ClientTab, forwardToTabs } from '../../../../workers/service/forward.ts';

const ACCEPT_MS = 100;
const STREAM = { 'content-type': 'application/x-ndjson' };

/** A tab that does with a request what it is told. */
function tab(react: (say: (frame: FromTab) => void, frame: ToTab) => void = () => undefined) {
  const received: ToTab[] = [];
  const state = { isThere: true, port: null as MessagePort | null };
  const one: ClientTab = {
    isOpen: async () => state.isThere,
    post(frame, port) {
      received.push(frame);
      state.port = port;
      port.onmessage = ({ data }: MessageEvent<ToTab>) => received.push(data);
      react((each) => port.postMessage(each), frame);
    },
  };
  return { ...one, received, state };
}

const accepted = { type: 'accepted', id: 1 } as const;
const answer = (body: string): FromTab => ({ type: 'answer', id: 1, status: 200, headers: {}, body });
const ask = (init: RequestInit = {}): Request =>
  new Request('https://app.example/api/embed?nice=true', { method: 'POST', body: '{"ä":1}', ...init });

describe('a request through the service worker', () => {
  it('reaches the tab whole, and brings its answer back', async () => {
    const open = tab((say) => {
      say(accepted);
      say({ type: 'answer', id: 1, status: 418, headers: { 'retry-after': '2' }, body: '{"é":1}' });
    });
    const response = await forwardToTabs(ask({ headers: { Authorization: 'Bearer x', 'X-Other': 'y' } }), [open], {
      acceptMs: ACCEPT_MS,
    });
    const headers = { accept: '*/*', authorization: 'Bearer x', 'content-type': 'text/plain;charset=UTF-8' };
    expect(open.received[0]).toMatchObject({ method: 'POST', path: '/api/embed?nice=true', body: '{"ä":1}' });
    expect(open.received[0]).toMatchObject({
      headers: expect.objectContaining({ authorization: headers.authorization }),
    });
    expect(JSON.stringify(open.received[0])).not.toContain('x-other');
    expect([response?.status, response?.headers.get('Retry-After'), await response?.text()]).toEqual([
      418,
      '2',
      '{"é":1}',
    ]);
  });

  it('sends a long body in parts, to the tab that accepts it and to no other', async () => {
    const body = JSON.stringify({ prompt: 'é"'.repeat(300_000) });
    const silent = tab();
    const open = tab((say) => say(accepted));
    const answered = forwardToTabs(ask({ body }), [silent, open], { acceptMs: ACCEPT_MS });
    const parts = () => open.received.filter((frame) => frame.type === 'part');
    await eventually(() =>
      expect(
        parts()
          .map(({ text }) => text)
          .join('') === body,
      ).toBe(true),
    );
    expect(open.received[0]).toMatchObject({ body: null, parts: parts().length });
    open.state.port?.postMessage(answer('1'));
    expect(await (await answered)?.text()).toBe('1');
    expect(silent.received.map(({ type }) => type)).toEqual(['request', 'cancel']);
  });

  it('names the operation below the folder that the site lies in', async () => {
    const open = tab((say) => [accepted, answer('1')].forEach(say));
    const request = new Request('https://app.example/tools/lightwell/api/v1/embed?nice=true');
    await forwardToTabs(request, [open], { home: '/tools/lightwell/', acceptMs: ACCEPT_MS });
    expect(open.received[0]).toMatchObject({ path: '/api/v1/embed?nice=true' });
  });

  it('goes on to the next tab when one is no app, and to nobody when none is', async () => {
    const [other, app] = [tab(), tab((say) => [accepted, answer('1')].forEach(say))];
    expect(await (await forwardToTabs(ask(), [other, app], { acceptMs: ACCEPT_MS }))?.text()).toBe('1');
    await eventually(() => expect(other.received.at(-1)).toEqual({ type: 'cancel', id: 1 }));
    expect(await forwardToTabs(ask(), [tab()], { acceptMs: ACCEPT_MS })).toBeNull();
    expect(await forwardToTabs(ask(), [], { acceptMs: ACCEPT_MS })).toBeNull();
  });

  it('goes on to the next tab when one cannot be asked', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const refuse = () => {
      throw new DOMException('no memory', 'DataCloneError');
    };
    const app = tab((say) => [accepted, answer('1')].forEach(say));
    expect(await (await forwardToTabs(ask(), [tab(refuse), app], { acceptMs: ACCEPT_MS }))?.text()).toBe('1');
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it('is streamed where the tab streams', async () => {
    const open = tab((say) => {
      const parts: FromTab[] = [
        accepted,
        { type: 'begin', id: 1, status: 200, headers: STREAM },
        { type: 'chunk', id: 1, text: '{"é":1}\n' },
        { type: 'chunk', id: 1, text: '{"b":2}\n' },
        { type: 'end', id: 1 },
      ];
      parts.forEach(say);
    });
    const response = await forwardToTabs(ask(), [open], { acceptMs: ACCEPT_MS });
    expect([response?.headers.get('content-type'), await response?.text()]).toEqual([
      STREAM['content-type'],
      '{"é":1}\n{"b":2}\n',
    ]);
  });

  it('cancels the job when its caller aborts, before and in the middle of the answer', async () => {
    for (const hasBegun of [false, true]) {
      const open = tab((say) => {
        say(accepted);
        if (hasBegun) say({ type: 'begin', id: 1, status: 200, headers: STREAM });
      });
      const controller = new AbortController();
      const request = ask({ signal: controller.signal });
      const passed = forwardToTabs(request, [open], { acceptMs: ACCEPT_MS });
      await eventually(() => expect(open.received).toHaveLength(1));
      const text = hasBegun ? (await passed)?.text() : passed;
      setTimeout(() => controller.abort(), 20);
      await expect(text).rejects.toThrow('abort');
      expect(request.signal.aborted).toBe(true); // Node ends a signal with its request, so the test holds on to that
      await eventually(() => expect(open.received.at(-1)).toEqual({ type: 'cancel', id: 1 }));
    }
  });

  it('is not sent on to the network when it is aborted before a tab accepts it', async () => {
    const controller = new AbortController();
    const passed = forwardToTabs(ask({ signal: controller.signal }), [tab()], { acceptMs: ACCEPT_MS });
    setTimeout(() => controller.abort(), 20);
    await expect(passed).rejects.toThrow('abort');
  });

  it('cancels the job when the reader of its body goes away', async () => {
    const open = tab((say) => [accepted, { type: 'begin', id: 1, status: 200, headers: STREAM } as const].forEach(say));
    await (await forwardToTabs(ask(), [open], { acceptMs: ACCEPT_MS }))?.body?.cancel();
    await eventually(() => expect(open.received.at(-1)).toEqual({ type: 'cancel', id: 1 }));
  });

  it('cancels the job when the asking page is closed', async () => {
    const open = tab((say) => say(accepted));
    let isCallerThere = true;
    void forwardToTabs(ask(), [open], { isCallerOpen: async () => isCallerThere });
    await eventually(() => expect(open.received).toHaveLength(1));
    isCallerThere = false;
    await eventually(() => expect(open.received.at(-1)).toEqual({ type: 'cancel', id: 1 }));
  });

  it('gets a 503 when the tab is reloaded or closed, and a broken body in the middle of a stream', async () => {
    const early = tab((say) => say(accepted));
    const answered = forwardToTabs(ask(), [early], { acceptMs: ACCEPT_MS });
    early.state.isThere = false;
    const response = await answered;
    expect([response?.status, response?.headers.get('Retry-After'), await response?.json()]).toEqual([
      503,
      '1',
      { code: 'NO_TAB', error: expect.any(String) },
    ]);
    const late = tab((say) => [accepted, { type: 'begin', id: 1, status: 200, headers: STREAM } as const].forEach(say));
    const begun = await forwardToTabs(ask(), [late], { acceptMs: ACCEPT_MS });
    late.state.isThere = false;
    await expect(begun?.text()).rejects.toThrow('went away');
  });

  it('gets a 500 when the router threw', async () => {
    const open = tab((say) => [accepted, { type: 'broken', id: 1, reason: 'TypeError: x' } as const].forEach(say));
    const response = await forwardToTabs(ask(), [open], { acceptMs: ACCEPT_MS });
    expect([response?.status, await response?.json()]).toEqual([500, { code: 'INTERNAL', error: 'TypeError: x' }]);
  });

  it('gets a 408 when the tab takes longer than it said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const presence = {
        type: 'presence',
        attention: 'visible',
        allowedOrigins: [],
        timeoutMs: 50,
        tokenHash: null,
      } as const;
      const open = tab((say) => [presence, accepted].forEach(say));
      const answered = forwardToTabs(ask(), [open], { acceptMs: ACCEPT_MS });
      await eventually(() => expect(vi.getTimerCount()).toBe(1));
      vi.advanceTimersByTime(50 + 3000);
      expect((await answered)?.status).toBe(408);
    } finally {
      vi.useRealTimers();
    }
  });
});
