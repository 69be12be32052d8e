import { describe, expect, it, vi } from 'vitest';
import {
  createBufferedStorage,
  WRITE_INTERVAL_MS,
  type BufferedStorage,
} from '../../../src/stores/buffered-storage.ts';
import { createFakeMemory, createFakePage } from '../../support/fakes/fake-memory.ts';
import { holdTime } from '../../support/fakes/fake-time.ts';

function throwing(name: string): () => never {
  return () => {
    throw new DOMException('refused', name);
  };
}

describe('createMemory', () => {
  holdTime();

  it('writes the first text at once, and the newest of each key once per interval', () => {
    const storage = createFakeMemory();
    const memory = createBufferedStorage(storage, createFakePage());
    for (const text of ['1', '2', '3']) memory.setItem('a', text);
    memory.setItem('b', 'x');
    expect(storage.writes).toEqual(['a']);
    vi.advanceTimersByTime(WRITE_INTERVAL_MS);
    expect(storage.writes).toEqual(['a', 'a', 'b']);
    expect(Object.fromEntries(storage.kept)).toEqual({ a: '3', b: 'x' });
  });

  it('reads what waits, and what is stored', () => {
    const memory = createBufferedStorage(createFakeMemory({ a: 'old', b: 'b' }), createFakePage());
    memory.setItem('a', '1');
    memory.setItem('a', '2');
    expect([memory.getItem('a'), memory.getItem('b'), memory.getItem('c')]).toEqual(['2', 'b', null]);
  });

  it('reads nothing of a key that waits to be removed', () => {
    const memory = createBufferedStorage(createFakeMemory({ a: 'old' }), createFakePage());
    memory.setItem('b', '1');
    memory.removeItem('a');
    expect(memory.getItem('a')).toBeNull();
  });

  it('loses nothing when the page is left', () => {
    const [storage, page] = [createFakeMemory({ b: 'old' }), createFakePage()];
    const memory = createBufferedStorage(storage, page);
    memory.setItem('a', '1');
    memory.setItem('a', '2');
    memory.removeItem('b');
    page.leave();
    expect(Object.fromEntries(storage.kept)).toEqual({ a: '2' });
    vi.advanceTimersByTime(WRITE_INTERVAL_MS);
    expect(storage.writes).toEqual(['a', 'a']);
  });

  it('removes the older text where the newer one does not fit', () => {
    const storage = createFakeMemory({ a: 'old' });
    const memory = createBufferedStorage({ ...storage, setItem: throwing('QuotaExceededError') }, createFakePage());
    memory.setItem('a', 'larger');
    expect(storage.kept.has('a')).toBe(false);
  });

  it('works without storage, and where all of it is forbidden', () => {
    const refuse = throwing('SecurityError');
    const forbidden: BufferedStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
    for (const storage of [null, forbidden]) {
      const memory = createBufferedStorage(storage, createFakePage());
      expect(() => {
        memory.setItem('a', '1');
        memory.removeItem('b');
      }).not.toThrow();
      expect(memory.getItem('c')).toBeNull();
    }
  });
});
