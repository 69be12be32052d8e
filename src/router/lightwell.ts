import type { Router } from './router.ts';

/** What the page offers to consoles, tests and other scripts as `globalThis.lightwell`. */
export interface Lightwell {
  /** As the global `fetch`, but answered by this page: a path such as `/embed`, a URL whose path is one, or a request. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The bearer token that requests must carry. */
  readonly token: string;
  /** Resolves when the default model can answer; rejects with the reason when it cannot be loaded. */
  readonly ready: Promise<void>;
}

declare global {
  // The one form of declaration that puts a name on `globalThis`.
  var lightwell: Lightwell;
}

/** The page's door for scripts. @param origin  what paths are relative to */
export function createLightwell(
  router: Router,
  { origin, token, ready }: { origin: string; token: () => string; ready: Promise<void> },
): Lightwell {
  return {
    fetch: (input, init) => router.fetch(new Request(typeof input === 'string' ? new URL(input, origin) : input, init)),
    get token() {
      return token();
    },
    ready,
  };
}
