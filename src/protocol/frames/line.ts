import type { PassedHeader } from './frames.ts';

/** Where a tab connects to the server's bridge, as a WebSocket. */
export const BRIDGE_PATH = '/api/bridge';

/** A tab that was loaded before an incompatible change speaks another subprotocol, is refused, and must be reloaded. */
export const BRIDGE_SUBPROTOCOL = 'lightwell.bridge.3';

/** How the page learns that its server has a bridge: the name of an entry in the header `Server-Timing`. */
export const BRIDGE_ANNOUNCEMENT = 'lightwell-bridge';

/** The headers of a request that a tab gets to see. */
export const PASSED_HEADERS = ['accept', 'authorization', 'content-type'] as const satisfies readonly PassedHeader[];

/** The header that tells how many bytes a compressed answer holds; `Content-Length` counts those that are sent. */
export const UNCOMPRESSED_LENGTH = 'x-uncompressed-length';

/** Put before a token before it is hashed, so that the hash means nothing anywhere else. */
const HASH_DOMAIN = 'lightwell.bridge.token:';

/**
 * What a tab shows the server in place of its token: who has the token can compute it, nobody can compute the token from it.
 * There is no salt, because a token has 256 random bits: no table and no guess reaches it. The server recomputes the hash
 * for each request, so it must be fast.
 *
 * @returns SHA-256 of the prefixed token in UTF-8, 64 lower-case hexadecimal digits
 */
export async function hashOfToken(token: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${HASH_DOMAIN}${token}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
