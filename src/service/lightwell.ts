import type { Router } from '../router/router.ts';
import type { SettingsKeeper } from './settings-keeper.ts';

/** What the page offers to consoles, tests and other scripts as `globalThis.lightwell`. */
export interface Lightwell {
  /** As the global `fetch`, but answered by this page: a path such as `/embed`, a URL whose path is one, or a request. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The bearer token that requests must carry. */
  readonly token: string;
  /** Resolves when the default model can answer; rejects with the reason when it cannot be loaded. */
  readonly ready: Promise<void>;
  /** What a user may set about the answers; `set` throws an error that names the field it refuses. */
  readonly settings: Pick<SettingsKeeper, 'get' | 'set'>;
}

declare global {
  // The one form of declaration that puts a name on `globalThis`.
  var lightwell: Lightwell;
}

/** What the door opens to. */
export interface LightwellParts {
  /** What paths are relative to. */
  readonly origin: string;
  readonly token: () => string;
  readonly ready: Promise<void>;
  readonly settings: SettingsKeeper;
}

/** The page's door for scripts. */
export function createLightwell(
  router: Router,
  { origin, token, ready, settings: { get, set } }: LightwellParts,
): Lightwell {
  return {
    fetch: (input, init) => router.fetch(new Request(typeof input === 'string' ? new URL(input, origin) : input, init)),
    get token() {
      return token();
    },
    ready,
    settings: { get, set },
  };
}
