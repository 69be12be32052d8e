import { describe, expect, it } from 'vitest';
import { createThemeStore } from '../../../../../src/state/page/theme-store.ts';

describe('theme store', () => {
  it('follows the device until it is told otherwise, and remembers', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
    const store = createThemeStore(storage);
    expect(store.getState().theme).toBe('system');
    store.getState().choose('dark');
    expect(createThemeStore(storage).getState().theme).toBe('dark');
  });

  it('works without storage, and with nonsense in it', () => {
    expect(createThemeStore(null).getState().theme).toBe('system');
    const storage = { getItem: () => '"pink"', setItem: () => undefined };
    expect(createThemeStore(storage).getState().theme).toBe('system');
  });
});
