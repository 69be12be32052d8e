import { describe, expect, it } from 'vitest';
import { createTokenKeeper } from '../../../../src/service/token.ts';
import { shortest } from '../../../../src/router/response/shortest-number.ts';

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
    const token = createTokenKeeper(storage).current();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(createTokenKeeper(storage).current()).toBe(token);
  });

  it('replaces it, in storage too', () => {
    const storage = memory();
    const keeper = createTokenKeeper(storage);
    const before = keeper.current();
    const after = keeper.replace();
    expect(after).not.toBe(before);
    expect(createTokenKeeper(storage).current()).toBe(after);
  });

  it('works without storage', () => {
    expect(createTokenKeeper(null).current()).toHaveLength(64);
  });
});

describe('shortest', () => {
  it.each([0.1, 1 / 3, -0.018676758, 1e-20, 0, 16777216, 3.4e38])('reads back as the same float32: %s', (x) => {
    const single = Math.fround(x);
    expect(Math.fround(shortest(single))).toBe(single);
  });

  it('is short', () => {
    expect(shortest(Math.fround(0.1))).toBe(0.1);
    expect(shortest(Math.fround(-0.018676758))).toBe(-0.018676758);
  });
});
