import { NEUTRAL_NATS } from '../explanations/influence.ts';

/** Values of `data-sign` in the style sheet. */
type Sign = 'supports' | 'opposes' | 'neutral';

/** Sign of a score: positive supports the target. A score that may be noise is neutral. */
export function signOf(score: number): Sign {
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

/**
 * Colours of figures: those of the light theme, on white, because figures are printed. A test compares them with
 * `tokens.css`.
 */
export const COLOURS = {
  ground: '#ffffff',
  panel: '#fffefb',
  ink: '#24211b',
  inkSoft: '#645d51',
  line: '#e5dfd2',
  lineStrong: '#948b7a',
  supports: '#fdb94c',
  supportsEdge: '#c06400',
  opposes: '#87c2ec',
  opposesEdge: '#1e65aa',
} as const;

/** How a score is shown. */
export interface Mark {
  readonly sign: Sign;
  /** Share of the full colour, 0 … 1. */
  readonly weight: number;
  /** Null if the score is too small for a colour. */
  readonly fill: string | null;
  /** Of the same sign without mixing. */
  readonly hue: string;
  /** Of lines. */
  readonly edge: string;
}

const HUES: Readonly<Record<Sign, { readonly hue: string; readonly edge: string }>> = {
  supports: { hue: COLOURS.supports, edge: COLOURS.supportsEdge },
  opposes: { hue: COLOURS.opposes, edge: COLOURS.opposesEdge },
  neutral: { hue: COLOURS.panel, edge: COLOURS.lineStrong },
};

/** The mark of a score, as `influence.css` colours it on the page. `largest` is the largest score of the same scale, nats. */
export function markOf(score: number, largest: number): Mark {
  const sign = signOf(score);
  const weight = Math.min(1, Math.abs(score) / fullColour(largest));
  const { hue, edge } = HUES[sign];
  return { sign, weight, fill: sign === 'neutral' ? null : mixed(hue, COLOURS.panel, weight), hue, edge };
}

/**
 * `share` of one colour and the rest of another, mixed in Oklab.
 *
 * @source CSS Color 5, `color-mix()`; Björn Ottosson, "A perceptual color space for image processing", 2020
 */
export function mixed(colour: string, other: string, share: number): string {
  const [a, b] = [oklab(colour), oklab(other)];
  return hex(a.map((value, index) => value * share + (b[index] ?? 0) * (1 - share)));
}

/** Red, green and blue, 0 … 1. */
export function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

const TO_CONES = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const FROM_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const FROM_CONES = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

function oklab(colour: string): number[] {
  return times(TO_LAB, times(TO_CONES, channels(colour).map(linear)).map(Math.cbrt));
}

function hex(lab: readonly number[]): string {
  const cones = times(FROM_LAB, lab).map((value) => value ** 3);
  const bytes = times(FROM_CONES, cones).map((value) => Math.round(255 * Math.min(1, Math.max(0, gamma(value)))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0));
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function gamma(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}
