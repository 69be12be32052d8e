import { expect, it } from 'vitest';
import { sortedKeys } from '../../../../../evaluation/measures/text/sorted-keys.ts';

it('counts keys in a half-open range, repeated ones as often as they stand there', () => {
  const keys = sortedKeys(Float64Array.of(7, 3, 2 ** 36, 3, 5));
  expect(keys.countBetween(3, 4)).toBe(2);
  expect(keys.countBetween(3, 7)).toBe(3);
  expect(keys.countBetween(0, 3)).toBe(0);
  expect(keys.countBetween(2 ** 36, 2 ** 37)).toBe(1);
  expect(sortedKeys(new Float64Array(0)).countBetween(0, 9)).toBe(0);
});
