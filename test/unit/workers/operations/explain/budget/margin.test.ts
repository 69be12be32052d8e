import { describe, expect, it } from 'vitest';
import { marginOf } from '../../../../../../workers/operations/explain/budget/margin.ts';

describe('marginOf', () => {
  it('is what nine in ten errors do not exceed, counted with the next one', () => {
    const errors = Array.from({ length: 19 }, (_, i) => i + 1);
    expect(marginOf(errors)).toBe(18); // ⌈0.9 · 20⌉
  });
  it('is the largest of few, in any order', () => expect(marginOf([3, 9, 1])).toBe(9));
  it('is 0 without any', () => expect(marginOf([])).toBe(0));
});
