import { expect } from 'vitest';
import { hashOfToken, type ToTab } from '../../../src/protocol/frames/frames.ts';
import { type RunningServer, startServer } from '../../../server/serve.ts';
import { AUTHORIZED, type FakeTab, openTab } from './fake-tab.ts';

/** What a program sends that nobody but its own tab may see. */
export const SECRET = 'a prompt that is nobody else’s business';

/**
 * A server with one tab that answers, and spies: tabs that are looked at more than it, let every page in, and show the
 * hashes of what careless clients send in place of a token.
 */
export interface HostileTabs {
  readonly server: RunningServer;
  /** What the spies were sent, all together. */
  spied(): readonly ToTab[];
  /** The server is up: a request reaches the tab that it is for, and its answer comes back. */
  isWell(): Promise<void>;
  close(): Promise<void>;
}

/** What is sent in place of a token. The last one is the token of another browser's tab. */
const GUESSES = ['', ' ', 'undefined', 'null', '$TOKEN', '…', 'wrong', 'f'.repeat(64)];

export async function openHostileTabs(options: Partial<Parameters<typeof startServer>[0]> = {}): Promise<HostileTabs> {
  const server = await startServer({ port: 0, ...options });
  const tab = await openTab(server.url, { attention: 'hidden' });
  answerAll(tab);
  const spies = await Promise.all(
    GUESSES.map(async (guess) =>
      openTab(server.url, {
        attention: 'focused',
        allowedOrigins: ['null', 'https://evil.example'],
        tokenHash: await hashOfToken(guess),
      }),
    ),
  );
  const spied = () => spies.flatMap(({ received }) => received);
  return {
    server,
    spied,
    async isWell() {
      const body = JSON.stringify({ prompt: SECRET });
      const response = await fetch(new URL('/api/embed', server.url), { method: 'POST', headers: AUTHORIZED, body });
      expect([response.status, await response.json()]).toEqual([200, { heard: body }]);
      expect(spied()).toEqual([]);
      expect(tab.received.some((frame) => frame.type === 'request' && frame.body === body)).toBe(true);
    },
    close: server.close,
  };
}

/** Says back what it heard, as long as it is there. */
function answerAll(tab: FakeTab): void {
  const answerNext = async (): Promise<void> => {
    const { id, body } = await tab.next('request');
    tab.send({ type: 'accepted', id });
    const headers = { 'content-type': 'application/json' };
    tab.send({ type: 'answer', id, status: 200, headers, body: JSON.stringify({ heard: body }) });
    return answerNext();
  };
  void answerNext();
}
