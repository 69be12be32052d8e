/**
 * What crosses the line between a tab that answers and a transport from outside it: the server's bridge sends frames as JSON
 * text over a WebSocket, the service worker as they are over a `MessagePort`. Bodies are text, because the contract
 * knows no other. Per request, in this order: `request` →, `accepted` ←, each `part` of a long body →, then `answer`, or
 * `begin`, any number of `chunk` and one `end`, or `broken` in place of what is still missing. After `cancel` → nothing more
 * is owed.
 */
export type Frame = ToTab | FromTab;

/** Chosen by the transport, never used twice on one line. */
export type RequestId = number;

/** To the tab. */
export type ToTab =
  | {
      readonly type: 'request';
      readonly id: RequestId;
      readonly method: string;
      /** Below the site's own folder: with its query, and with the `/api` or `/api/v1` that it came under. */
      readonly path: string;
      /** Those of `PassedHeader` that were sent, lower case. */
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
  /** Sent at once: a tab that stays silent is frozen or stuck, and another one is asked. */
  | { readonly type: 'accepted'; readonly id: RequestId }
  /** A complete answer. */
  | ({ readonly type: 'answer'; readonly id: RequestId; readonly body: string } & AnswerHead)
  /** An answer that is streamed. */
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

/** Headers of a request that reach the tab; the router reads no other. */
export type PassedHeader = 'accept' | 'authorization' | 'content-type';

/** How much a tab is looked at; requests go to the one that is looked at most. */
export type Attention = 'focused' | 'visible' | 'hidden';

/** What a tab says of itself to the bridge, first of all and after each change. */
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
