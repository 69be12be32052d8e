import { describe, expect, it } from 'vitest';
import { recall, remember } from '../../../../src/state/memory.ts';

describe('memory', () => {
  it('gives back what was kept', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
    remember(storage, 'a', { b: [1, 'é'] });
    expect(recall(storage, 'a')).toEqual({ b: [1, 'é'] });
    expect(recall(storage, 'other')).toBeNull();
  });

  it('answers null without storage, for damaged values, and where reading is forbidden', () => {
    const forbidden = {
      getItem: () => {
        throw new DOMException('denied', 'SecurityError');
      },
      setItem: () => undefined,
    };
    expect(recall(null, 'a')).toBeNull();
    expect(recall({ getItem: () => '{', setItem: () => undefined }, 'a')).toBeNull();
    expect(recall(forbidden, 'a')).toBeNull();
  });
});
