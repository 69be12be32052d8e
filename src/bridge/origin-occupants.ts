import type { OriginOccupant } from '../protocol/page/privacy-facts.ts';

/** What a page can see of its origin. Each part rejects where the browser forbids it. */
export type Origin = ReturnType<typeof thisOrigin>;

/** The beginning of every name under which the page stores something. */
export const OWN_NAME = /^lightwell([.:/-]|$)/;

/** Finds what other pages have stored on the page's own origin, as far as the browser shows it. */
export async function findOriginOccupants(origin: Origin = thisOrigin()): Promise<readonly OriginOccupant[]> {
  const occupants = async (kind: OriginOccupant['kind'], names: Promise<readonly string[]>) => {
    const isOwn = kind === 'service worker' ? isSameScript(origin.ownScript) : (name: string) => OWN_NAME.test(name);
    return (await names.catch(() => [])).filter((name) => !isOwn(name)).map((name) => ({ kind, name }));
  };
  const found = await Promise.all([
    occupants('service worker', origin.serviceWorkers()),
    occupants('storage', origin.storageKeys()),
    occupants('database', origin.databases()),
    occupants('cache', origin.caches()),
  ]);
  return found.flat();
}

/** Whether an address is that script, whatever its query says. */
export function isSameScript(own: string): (address: string) => boolean {
  return (address) => new URL(address).pathname === new URL(own).pathname;
}

/** Addresses of the scripts of all service workers of the origin. */
export async function serviceWorkerScripts(container: ServiceWorkerContainer): Promise<string[]> {
  const registrations = await container.getRegistrations();
  return registrations.flatMap(({ active, waiting, installing }) => (active ?? waiting ?? installing)?.scriptURL ?? []);
}

function thisOrigin() {
  return {
    /** Address of our own service worker's script. */
    ownScript: new URL('service-worker.js', document.baseURI).href,
    serviceWorkers: () => serviceWorkerScripts(navigator.serviceWorker),
    storageKeys: async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    databases: async () => (await indexedDB.databases()).map(({ name = '' }) => name),
    caches: async () => caches.keys(),
  };
}
