import { describe, expect, it } from 'vitest';
import { influenceOf, postprocessed, scaledToUnit } from '../../../../workers/kernels/influence.ts';

describe('influenceOf', () => {
  it('is positive where suppressing makes the target less likely', () => {
    expect([...influenceOf([-3, -1], [-1, -2])]).toEqual([2, -1]);
  });
});

describe('postprocessed', () => {
  it.each([
    ['none', -2],
    ['absolute', 2],
    ['square', 4],
  ] as const)('%s', (kind, expected) => expect(postprocessed(-2, kind)).toBe(expected));
});

describe('scaledToUnit', () => {
  it('maps the least to 0 and the greatest to 1', () => expect(scaledToUnit([-1, 0, 3])).toEqual([0, 0.25, 1]));
  it('is 0 where nothing differs', () => expect(scaledToUnit([2, 2])).toEqual([0, 0]));
  it('answers nothing for nothing', () => expect(scaledToUnit([])).toEqual([]));
});
