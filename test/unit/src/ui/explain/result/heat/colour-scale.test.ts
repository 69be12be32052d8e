import { describe, expect, it } from 'vitest';
import { scaleStyle, signOf, sizeStyle } from '../../../../../../../src/ui/explain/result/heat/colour-scale.ts';

describe('colour scale', () => {
  it.each([
    [0.1, 'supports'],
    [-0.1, 'opposes'],
    [0, 'neutral'],
    [-0, 'neutral'],
  ])('gives %d the sign %s', (score, sign) => {
    expect(signOf(score)).toBe(sign);
  });

  it('hands sizes to the style sheet without their sign', () => {
    expect(sizeStyle(-1.5)).toEqual({ '--size': '1.5000' });
  });

  it('never lets the style sheet divide by zero', () => {
    expect(scaleStyle(0)).toEqual({ '--largest': '1.0000', '--columns': 1 });
    expect(scaleStyle(7.83, 4)).toEqual({ '--largest': '7.8300', '--columns': 4 });
  });
});
