import type { CSSProperties } from 'react';

/**
 * One scale for heat map, matrix and legend. Colour, underline and size follow from two custom properties, so that a new
 * maximum while results stream in restyles everything and re-renders nothing; `influence.css` does the arithmetic.
 */

/** What the style sheet distinguishes, for an element's `data-sign`. */
export type Sign = 'supports' | 'opposes' | 'neutral';

/** Sign of a score: positive supports the target. */
export function signOf(score: number): Sign {
  if (score === 0) return 'neutral';
  return score > 0 ? 'supports' : 'opposes';
}

/** Custom properties of one scored element. */
export function sizeStyle(score: number): CSSProperties & { '--size': string } {
  return { '--size': Math.abs(score).toFixed(4) };
}

/** Custom properties of the element around scored ones. */
type ScaleStyle = CSSProperties & { '--largest': string; '--columns': number };

/** The scale of a heat map, or of a table with that many columns; the maximum is never 0, because it divides. */
export function scaleStyle(largest: number, columns = 1): ScaleStyle {
  return { '--largest': (largest || 1).toFixed(4), '--columns': columns };
}
