import { createThrottle } from './throttle.ts';

/** Texts by key that survive a reload. No call throws; `createMemory` makes one. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Writing storage blocks the page, so waiting texts are written at most this often. */
export const WRITE_INTERVAL_MS = 500;

/** The events of a window after which the page may end. */
export interface PageLife {
  addEventListener(type: 'pagehide' | 'visibilitychange', listener: () => void): void;
}

/**
 * A memory over the browser's storage. The first text is written at once, then the newest of each key once per interval;
 * whatever waits is written when the page is hidden or left. A text that the storage refuses (quota, privacy mode) is
 * lost, and the older one is removed, so that a reload never mixes old and new. After `forget` nothing is written any more.
 *
 * @param storage  null where the browser forbids it; texts then last as long as the page
 */
export function createMemory(storage: Memory | null, page: PageLife): Memory & { forget(): void } {
  let isForgetting = false;
  const waiting = new Map<string, string | null>();
  const writeAll = () => {
    if (!isForgetting) for (const [key, text] of waiting) write(storage, key, text);
    waiting.clear();
  };
  const throttle = createThrottle(writeAll, WRITE_INTERVAL_MS);
  const put = (key: string, text: string | null) => {
    waiting.set(key, text);
    throttle.push();
  };
  page.addEventListener('pagehide', throttle.flush);
  page.addEventListener('visibilitychange', throttle.flush);
  return {
    getItem: (key) => (waiting.has(key) ? (waiting.get(key) ?? null) : read(storage, key)),
    setItem: (key, text) => put(key, text),
    removeItem: (key) => put(key, null),
    forget: () => void (isForgetting = true),
  };
}

function write(storage: Memory | null, key: string, text: string | null): void {
  try {
    if (text !== null) return storage?.setItem(key, text);
  } catch {
    // Refused: the store keeps the value, and the older text is removed below.
  }
  try {
    storage?.removeItem(key);
  } catch {
    // Forbidden altogether: there is nothing to remove.
  }
}

function read(storage: Memory | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null;
  } catch {
    return null; // reading may be forbidden too
  }
}
