/**
 * What crosses the line between a tab that answers and a transport from outside it: the server's bridge sends frames as JSON
 * text over a WebSocket, the service worker as they are over a `MessagePort`. Bodies are text, because the contract
 * knows no other. Per request, in this order: `request` →, `accepted` ←, each `part` of a long body →, then `answer`, or
 * `begin`, any number of `chunk` and one `end`, or `broken` in place of what is still missing. After `cancel` → nothing more
 * is owed. The server reads no long frame, so a long answer is sent in chunks too.
 */

/** Chosen by the transport, never used twice on one line. */
export type RequestId = number;

/** To the tab. */
export type ToTab =
  | {
      readonly type: 'request';
      readonly id: RequestId;
      readonly method: string;
      /** Below the site's own folder: with its query, and with the `/api`, `/api/v1` or `/v1` that it came under. */
      readonly path: string;
      /** Those of `PASSED_HEADERS` that were sent, lower case. */
      readonly headers: Readonly<Record<string, string>>;
      /** null for a method that has none, and for a body that follows in parts. */
      readonly body: string | null;
      /** How many parts follow, once the request is accepted; left out: none. */
      readonly parts?: number;
    }
  /** The next piece of a long body: as one message it would block the tab. */
  | { readonly type: 'part'; readonly id: RequestId; readonly text: string }
  | { readonly type: 'cancel'; readonly id: RequestId };

/** From the tab. */
export type FromTab =
  | Presence
  /** Sent at once: a tab that stays silent is frozen or stuck, and the request goes to another one. */
  | { readonly type: 'accepted'; readonly id: RequestId }
  /** A complete answer, of at most `PIECE` UTF-16 units. */
  | ({ readonly type: 'answer'; readonly id: RequestId; readonly body: string } & AnswerHead)
  /** An answer that is streamed, or long. */
  | ({ readonly type: 'begin'; readonly id: RequestId } & AnswerHead)
  | { readonly type: 'chunk'; readonly id: RequestId; readonly text: string }
  | { readonly type: 'end'; readonly id: RequestId }
  /** No answer will come, or no rest of it. */
  | { readonly type: 'broken'; readonly id: RequestId; readonly reason: string };

/** Status and headers of an answer, as the router chose them. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a tab is in view; requests go to the most visible one. */
export type Attention = 'focused' | 'visible' | 'hidden';

/** A tab's description of itself to the bridge, sent first and after each change. */
export interface Presence {
  readonly type: 'presence';
  readonly attention: Attention;
  /** Origins of other pages whose scripts may read answers, such as `https://notebook.example`. */
  readonly allowedOrigins: readonly string[];
  /** The tab answers a request within this time. */
  readonly timeoutMs: number;
  /** `hashOfToken` of the tab's token: requests with that token reach it. null to the service worker, which asks any tab. */
  readonly tokenHash: string | null;
}

/** Where a tab connects to the server's bridge, as a WebSocket. */
export const BRIDGE_PATH = '/api/bridge';

/** A tab that was loaded before an incompatible change speaks another subprotocol, is refused, and must be reloaded. */
export const BRIDGE_SUBPROTOCOL = 'lightwell.bridge.4';

/** How the page learns that its server has a bridge: the name of an entry in the header `Server-Timing`. */
export const BRIDGE_ANNOUNCEMENT = 'lightwell-bridge';

/** The headers of a request that a tab gets to see; the router reads no other. */
export const PASSED_HEADERS = ['accept', 'authorization', 'content-type'] as const;

/** Header with the uncompressed bytes of an answer; `Content-Length` counts the bytes that are sent. */
export const UNCOMPRESSED_LENGTH = 'x-uncompressed-length';

/** Put before a token before it is hashed, so that the hash means nothing anywhere else. */
const HASH_DOMAIN = 'lightwell.bridge.token:';

/**
 * A hash that a tab sends to the server instead of its token: the token cannot be computed from it.
 * There is no salt, because a token has 256 random bits: no table and no guess can find it. The server recomputes the hash
 * for each request, so it must be fast.
 *
 * @returns SHA-256 of the prefixed token in UTF-8, 64 lower-case hexadecimal digits
 */
export async function hashOfToken(token: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${HASH_DOMAIN}${token}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
