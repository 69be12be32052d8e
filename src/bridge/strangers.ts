/** Something on this origin that is not ours: what put it there can read the token, the prompts and the results. */
export interface Stranger {
  readonly kind: 'service worker' | 'storage' | 'database' | 'cache';
  /** Address of the script, or name of the entry. */
  readonly name: string;
}

/** What an origin shows of who uses it. Each part rejects where the browser forbids it. */
export interface Origin {
  /** Address of our own service worker's script. */
  readonly ownScript: string;
  /** Addresses of the scripts of all service workers. */
  serviceWorkers(): Promise<readonly string[]>;
  storageKeys(): Promise<readonly string[]>;
  databases(): Promise<readonly string[]>;
  caches(): Promise<readonly string[]>;
}

/** How every name begins under which the page keeps something. */
export const OWN_NAME = /^lightwell([.:/-]|$)/;

/** Looks for traces of other pages on the page's own origin; where the browser shows none, none are found. */
export async function findStrangers(origin: Origin = thisOrigin()): Promise<readonly Stranger[]> {
  const shown = async (kind: Stranger['kind'], names: Promise<readonly string[]>): Promise<Stranger[]> => {
    const isOwn = kind === 'service worker' ? isScript(origin.ownScript) : (name: string) => OWN_NAME.test(name);
    return (await names.catch(() => [])).filter((name) => !isOwn(name)).map((name) => ({ kind, name }));
  };
  const found = await Promise.all([
    shown('service worker', origin.serviceWorkers()),
    shown('storage', origin.storageKeys()),
    shown('database', origin.databases()),
    shown('cache', origin.caches()),
  ]);
  return found.flat();
}

/** Whether an address is that script, whatever its query says. */
export function isScript(own: string): (address: string) => boolean {
  return (address) => new URL(address).pathname === new URL(own).pathname;
}

function thisOrigin(): Origin {
  return {
    ownScript: new URL('service-worker.js', document.baseURI).href,
    async serviceWorkers() {
      const registrations = await navigator.serviceWorker.getRegistrations();
      return registrations.flatMap(({ active, waiting, installing }) => {
        const worker = active ?? waiting ?? installing;
        return worker === null ? [] : [worker.scriptURL];
      });
    },
    storageKeys: async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    databases: async () => (await indexedDB.databases()).map(({ name = '' }) => name),
    caches: async () => caches.keys(),
  };
}
