import { expect, it, vi } from 'vitest';
import type { FromTab, ToTab } from '../../../src/protocol/frames/frames.ts';
import { startServiceWorker } from '../../../src/bridge/transports.ts';
import { eventually } from '../../support/eventually.ts';

/** A page's end of the service worker, and a line over which the test asks it. */
async function startPage() {
  const container = {
    onmessage: null as ServiceWorkerContainer['onmessage'],
    register: vi.fn(async () => ({}) as ServiceWorkerRegistration),
    ready: Promise.resolve({} as ServiceWorkerRegistration),
  };
  vi.stubGlobal('crossOriginIsolated', true);
  await startServiceWorker({
    router: { fetch: async () => new Response('1') },
    origin: 'http://localhost:5448',
    timeoutMs: () => 1000,
    onStatus: () => undefined,
    container,
  });
  vi.unstubAllGlobals();
  const said: FromTab[] = [];
  const ask = (port: Pick<MessagePort, 'postMessage'>, source: unknown): void => {
    const data: ToTab = { type: 'request', id: 1, method: 'GET', path: '/api/version', headers: {}, body: null };
    // The parts of the event that are read.
    container.onmessage?.call(container as never, { data, source, ports: [port] } as never);
  };
  return { ask, said };
}

it('tells the service worker what the tab is, and answers', async () => {
  const { ask, said } = await startPage();
  ask({ postMessage: (frame: FromTab) => void said.push(frame) }, null);
  await eventually(() => expect(said.at(-1)).toMatchObject({ type: 'answer', body: '1' }));
  expect(said.map(({ type }) => type)).toEqual(['presence', 'accepted', 'answer']);
});

it.each(['presence', 'accepted', 'answer'])(
  'hands the line back where %s and all after it cannot be sent',
  async (from) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { ask, said } = await startPage();
    let isLost = false;
    const port = {
      postMessage(frame: FromTab) {
        isLost ||= frame.type === from;
        if (isLost) throw new DOMException('no memory', 'DataCloneError');
        said.push(frame);
      },
    };
    const source = { postMessage: vi.fn() };
    ask(port, source);
    await eventually(() => expect(source.postMessage).toHaveBeenCalledOnce());
    const reason = 'The tab cannot send its answer: DataCloneError: no memory';
    expect(source.postMessage).toHaveBeenCalledWith({ type: 'broken', id: 1, reason }, { transfer: [port] });
    expect(said.map(({ type }) => type)).toEqual(
      { presence: [], accepted: ['presence'], answer: ['presence', 'accepted'] }[from],
    );
    warned.mockRestore();
  },
);
