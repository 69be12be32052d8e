/** Where a store keeps what must survive a reload; null where the browser forbids it. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'> | null;

/** Keeps a JSON value. A full or forbidden storage loses the copy, never the page's work. */
export function remember(memory: Memory, key: string, value: unknown): void {
  try {
    memory?.setItem(key, JSON.stringify(value));
  } catch {
    // Quota or privacy mode: the value lives on in the store.
  }
}

/** The value kept under `key`; null when there is none or it cannot be read. */
export function recall(memory: Memory, key: string): unknown {
  try {
    return JSON.parse(memory?.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
