import { createTokenStore } from '../../../src/service/token.ts';
import { describe, expect, it, vi } from 'vitest';

/** The two methods of `Storage` that are needed. */
function memory() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}

describe('createTokenKeeper', () => {
  it('makes a token of 256 bits and keeps it', () => {
    const storage = memory();
    const token = createTokenStore(storage).current();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(createTokenStore(storage).current()).toBe(token);
  });

  it('replaces it, in storage too', () => {
    const storage = memory();
    const keeper = createTokenStore(storage);
    const before = keeper.current();
    const after = keeper.replace();
    expect(after).not.toBe(before);
    expect(createTokenStore(storage).current()).toBe(after);
  });

  it('does not use a stored text that is no token', () => {
    const storage = memory();
    storage.setItem('lightwell.token', '"><script>');
    expect(createTokenStore(storage).current()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('works where nothing can be stored, and says so', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const keeper = createTokenStore(full);
    expect(keeper.replace()).toBe(keeper.current());
    expect(warned).toHaveBeenCalledTimes(2);
    warned.mockRestore();
  });

  it('follows another tab of the browser, which then refuses the old token too', () => {
    const heard: string[] = [];
    const keeper = createTokenStore(memory(), undefined, (token) => heard.push(token));
    const other = 'a'.repeat(64);
    keeper.subscribe({ key: 'lightwell.token', newValue: other });
    expect([keeper.current(), heard]).toEqual([other, [other]]);
    const own = keeper.replace();
    expect(heard).toEqual([other, own]);
  });

  it.each([
    ['another entry', 'lightwell.settings', 'b'.repeat(64)],
    ['what is no token', 'lightwell.token', 'b'],
    ['that the storage was emptied', null, null],
    ['that the token was removed', 'lightwell.token', null],
  ])('keeps its token when it hears of %s', (_name, key, newValue) => {
    const heard: string[] = [];
    const keeper = createTokenStore(memory(), undefined, (token) => heard.push(token));
    const before = keeper.current();
    keeper.subscribe({ key, newValue });
    expect([keeper.current(), heard]).toEqual([before, []]);
  });

  it('works where nothing can be read, says so, and leaves what is stored', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const setItem = vi.fn();
    const getItem = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    expect(createTokenStore({ getItem, setItem }).current()).toHaveLength(64);
    expect(warned).toHaveBeenCalledOnce();
    expect(setItem).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('works without storage', () => {
    expect(createTokenStore(null).current()).toHaveLength(64);
  });
});
