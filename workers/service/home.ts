/** Whether the folder of the service worker still holds the site that it came from. */
export interface Home {
  /** Asks the host again. A service worker that has no site any more leaves. */
  look(): Promise<boolean>;
  /** What was found last. */
  isThere(): Promise<boolean>;
  /** The same, but true where the host has not answered within a moment. */
  isThereSoon(): Promise<boolean>;
}

/** A page that is kept waits no longer for its host. */
const MOMENT_MS = 1_000;

/** What is read of the host's answer. */
type Answered = Pick<Response, 'ok' | 'status' | 'headers'>;

/** What is needed of the browser; tests replace it. */
export interface HomeOptions {
  /** Address of this service worker's script. */
  readonly script: string;
  readonly leave: () => Promise<unknown>;
  readonly ask?: (script: string) => Promise<Answered>;
  readonly momentMs?: number;
}

/**
 * Watches over the folder: a browser keeps a service worker when its script is gone, so that whatever is served from the
 * same origin later, such as another project on the same port, would have its requests answered by this site and its
 * page changed. A host that cannot be reached, or that fails, is no reason to leave: the page works offline.
 */
export function createHome({ script, leave, ask = head, momentMs = MOMENT_MS }: HomeOptions): Home {
  let last: Promise<boolean> | undefined;
  const look = async (): Promise<boolean> => {
    const isThere = await ask(script).then(isHome, () => true);
    if (!isThere) await leave();
    return isThere;
  };
  const isThere = () => (last ??= look());
  const moment = () => new Promise<true>((resolve) => setTimeout(() => resolve(true), momentMs));
  return {
    look: () => (last = look()),
    isThere,
    isThereSoon: () => Promise.race([isThere(), moment()]),
  };
}

/** False for what says that the script is gone: no such file, or something else in its place. */
function isHome({ ok, status, headers }: Answered): boolean {
  if (ok) return /javascript/.test(headers.get('Content-Type') ?? '');
  return status !== 404 && status !== 410;
}

function head(script: string): Promise<Response> {
  return fetch(script, { method: 'HEAD', cache: 'no-store', redirect: 'manual' }); // a redirect leads to a sign-in, say
}
