import { describe, expect, it } from 'vitest';
import { fullColour, scaleStyle, signOf, sizeStyle } from '../../../../src/figures/colours.ts';

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

  it('hands sizes to the style sheet without their sign', () => {
    expect(sizeStyle(-1.5)).toEqual({ '--size': '1.5000' });
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

  it('never lets the style sheet divide by zero', () => {
    expect(scaleStyle(0)).toEqual({ '--largest': '1.0000', '--columns': 1 });
    expect(scaleStyle(7.83, 4)).toEqual({ '--largest': '10.0000', '--columns': 4 });
  });
});
