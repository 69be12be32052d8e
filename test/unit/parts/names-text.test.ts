import { describe, expect, it } from 'vitest';
import { namesText } from '../../../src/parts/names-text.ts';

describe('namesText', () => {
  it.each([
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
    [Array.from({ length: 1003 }, (_, index) => `m${index}`), 'm0, m1, m2 and 1,000 more'],
  ])('writes %j', (names, text) => expect(namesText(names)).toBe(text));
});
