/** Whether the folder of the service worker still holds the site that it came from. */
export interface Home {
  /** Asks the host again. A service worker that has no site any more leaves. */
  look(): Promise<boolean>;
  /** What was found last. */
  isThere(): Promise<boolean>;
}

/** What is needed of the browser; tests replace it. */
export interface HomeOptions {
  /** Address of this service worker's script. */
  readonly script: string;
  readonly leave: () => Promise<unknown>;
  readonly ask?: (script: string) => Promise<Pick<Response, 'ok' | 'headers'>>;
}

/**
 * Watches over the folder: a browser keeps a service worker when its script is gone, so that whatever is served from the
 * same origin later, such as another project on the same port, would have its requests answered by this site and its
 * page changed. A host that cannot be reached is no reason to leave: the page works offline.
 */
export function createHome({ script, leave, ask = head }: HomeOptions): Home {
  let last: Promise<boolean> | undefined;
  const look = async (): Promise<boolean> => {
    const isThere = await ask(script).then(isScript, () => true);
    if (!isThere) await leave();
    return isThere;
  };
  return {
    look: () => (last = look()),
    isThere: () => (last ??= look()),
  };
}

function isScript({ ok, headers }: Pick<Response, 'ok' | 'headers'>): boolean {
  return ok && /javascript/.test(headers.get('Content-Type') ?? '');
}

function head(script: string): Promise<Response> {
  return fetch(script, { method: 'HEAD', cache: 'no-store' });
}
