import type { BufferedStorage } from '../../../src/stores/buffered-storage.ts';

/** A storage in a map that records its writes. */
export interface FakeMemory extends BufferedStorage {
  readonly kept: Map<string, string>;
  /** Keys in the order in which they were written. */
  readonly writes: string[];
}

/** A storage that holds `texts`. */
export function createFakeMemory(texts: Readonly<Record<string, string>> = {}): FakeMemory {
  const kept = new Map(Object.entries(texts));
  const writes: string[] = [];
  return {
    kept,
    writes,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, text) {
      writes.push(key);
      kept.set(key, text);
    },
    removeItem: (key) => void kept.delete(key),
  };
}

/** A page that can be hidden or left. */
export function createFakePage() {
  const listeners: (() => void)[] = [];
  return {
    addEventListener: (_type: string, listener: () => void) => void listeners.push(listener),
    leave: () => listeners.forEach((listener) => listener()),
  };
}
