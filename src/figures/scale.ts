import { NEUTRAL_NATS } from '../explanations/influence.ts';

/** Values of `data-sign` in the style sheet. */
export type Sign = 'supports' | 'opposes' | 'neutral' | 'sink';

/** Sign of a score: positive supports the target. A score that may be noise is neutral; that of an attention sink has none. */
export function signOf(score: number, isSink = false): Sign {
  if (isSink) return 'sink';
  if (Math.abs(score) < NEUTRAL_NATS) return 'neutral';
  return score > 0 ? 'supports' : 'opposes';
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

/** Steps of the colours between none and the full one. */
const LEVELS = 100;

/** The step of a score, 0 … 100. */
export function levelOf(score: number, largest: number): number {
  return Math.round((Math.abs(score) / fullColour(largest)) * LEVELS);
}

/**
 * The style sheet's weights of the steps. With a style of its own for each of ten thousand sections a browser takes seconds;
 * these it shares between all sections of a step.
 */
export const LEVEL_STYLES = Array.from(
  { length: LEVELS + 1 },
  (_, level) => `[data-level='${level}'] { --weight: ${level / LEVELS}; }`,
).join('\n');
