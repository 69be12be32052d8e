import type { IncomingMessage } from 'node:http';
import { vi } from 'vitest';
import { createEngineProxy } from '../../../server/engine/engine-proxy.ts';
import { DEFAULT_SETTINGS } from '../../../src/contract/settings.ts';
import { createPage, TOKEN } from '../fakes/page.ts';
import { listening } from './completion-server.ts';

export const urlOf = (input: string | URL | Request) => (input instanceof Request ? input.url : String(input));

/** Has the page reach a server through the local one. */
export async function connectPage(upstream: string, key: string): Promise<void> {
  const isAuthorized = async ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${TOKEN}`;
  const local = await listening(createEngineProxy({ upstream: { address: upstream, token: key }, isAuthorized }));
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    return real(urlOf(input).replace('http://localhost/api/', `${local}/api/`), init);
  });
}

/** The router of a page whose settings name a server, once `connectPage` has connected it. */
export function pageWith(upstream: { readonly address?: string | null; readonly maxTokens?: number }) {
  return createPage({ settings: { upstream: { ...DEFAULT_SETTINGS.upstream, ...upstream } } }).router;
}
