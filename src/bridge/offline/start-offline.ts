import { createFileCache } from './file-cache.ts';
import { createOffline, type Offline, type OfflineState } from './offline.ts';

/** What the page needs for it. */
export interface StartOfflineOptions {
  /** Of the page's model, which comes first. */
  readonly ready: Promise<void>;
  readonly onState: (state: OfflineState) => void;
}

/** The network is left to what the visitor waits for: the first explanation begins when the model is ready. */
const PAUSE_MS = 2_000;

/**
 * Keeps the site's files on the device once the page's model is ready. Where the visitor's browser asks to save data, nothing is
 * fetched unless the visitor asks for it.
 *
 * @returns  null where the browser, or the address, allows no service worker or no cache
 */
export async function startOffline({ ready, onState }: StartOfflineOptions): Promise<Offline | null> {
  // Undefined outside secure contexts, whatever its type says.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const store = cachesOrNull();
  if (!container || !store) return null;
  const { active } = await container.ready;
  const folder = new URL('.', document.baseURI).href;
  const offline = createOffline({
    folder,
    cache: createFileCache(folder, store),
    locks: navigator.locks,
    onState,
    tell: (message) => active?.postMessage(message),
  });
  void whenReady(ready).then(savesData() ? offline.look : offline.keep);
  return offline;
}

async function whenReady(ready: Promise<void>): Promise<void> {
  await ready.catch(() => undefined); // the files are those that can help it
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Whether the visitor's browser asks pages to fetch little. */
function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** Null where the browser forbids it. */
function cachesOrNull(): CacheStorage | null {
  try {
    return (window.caches as CacheStorage | undefined) ?? null;
  } catch {
    return null;
  }
}
