import { describe, expect, it } from 'vitest';
import { shownNames } from '../../../src/contract/shown.ts';

describe('names in a message', () => {
  it('are JSON', () => expect(shownNames(['a', 'b "c"'])).toBe('"a", "b \\"c\\""'));

  it('are the first twenty of a longer list, and how many more there are', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `model-${index}`);
    expect(shownNames(names)).toMatch(/^"model-0", .*"model-19" and 980 more$/);
    expect(shownNames(names.slice(0, 20))).not.toContain('more');
  });
});
