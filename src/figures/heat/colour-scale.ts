import type { CSSProperties } from 'react';
import { NEUTRAL_NATS } from '../../explanations/influence.ts';

/**
 * One scale for heat map, matrix and legend. Colour, underline and size follow from two custom properties, so that a new
 * maximum while results stream in restyles everything and re-renders nothing; `influence.css` does the arithmetic.
 */

/** Values of `data-sign` in the style sheet. */
type Sign = 'supports' | 'opposes' | 'neutral';

/** Sign of a score: positive supports the target. A score that may be noise is neutral. */
export function signOf(score: number): Sign {
  if (Math.abs(score) < NEUTRAL_NATS) return 'neutral';
  return score > 0 ? 'supports' : 'opposes';
}

/** Custom properties of one scored element. */
export function sizeStyle(score: number): CSSProperties & { '--size': string } {
  return { '--size': Math.abs(score).toFixed(4) };
}

/** Custom properties of the element around scored ones. */
type ScaleStyle = CSSProperties & { '--largest': string; '--columns': number };

/** The scale of a heat map, or of a table with that many columns. */
export function scaleStyle(largest: number, columns = 1): ScaleStyle {
  return { '--largest': fullColour(largest).toFixed(4), '--columns': columns };
}

/** Steps of the scale within a power of ten. */
const STEPS = [1, 2, 5, 10];

/**
 * Score with the full colour, nats: 1, 2, 5, 10, 20 …, the first that the largest score does not exceed. Never below 1,
 * so that weak scores look weak, and in steps, so that results can be compared by eye.
 */
export function fullColour(largest: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, largest))));
  return (STEPS.find((step) => step * power >= largest) ?? 10) * power;
}
