import { describe, expect, it } from 'vitest';
import { fullColour, levelOf, LEVEL_STYLES, signOf } from '../../../../src/figures/scale.ts';

describe('colour scale', () => {
  it.each([
    [0.1, 'supports'],
    [-0.1, 'opposes'],
    [0.099, 'neutral'],
    [-0.05, 'neutral'],
    [0, 'neutral'],
    [-0, 'neutral'],
  ])('gives %d the sign %s', (score, sign) => {
    expect(signOf(score)).toBe(sign);
  });

  it.each([
    [0, 1],
    [0.05, 1],
    [1, 1],
    [1.01, 2],
    [3, 5],
    [7.83, 10],
    [12, 20],
    [431, 500],
  ])('has its full colour for a largest score of %d at %d nats', (largest, full) => {
    expect(fullColour(largest)).toBe(full);
  });

  it('has a weight for each step of the colours', () => {
    expect([levelOf(0, 4), levelOf(-2, 4), levelOf(4, 4), levelOf(5, 5)]).toEqual([0, 40, 80, 100]);
    expect(LEVEL_STYLES).toContain("[data-level='40'] { --weight: 0.4; }");
    expect(LEVEL_STYLES).toContain("[data-level='100'] { --weight: 1; }");
  });
});
