import { formatHex, interpolate, modeOklab, modeRgb, useMode } from 'culori/fn';
import { fullColour, type Sign, signOf } from './scale.ts';

useMode(modeRgb);
useMode(modeOklab);

/** Those of the light theme, because figures are printed; a test compares them with `tokens.css`. */
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
  sink: { hue: COLOURS.lineStrong, edge: COLOURS.lineStrong },
};

/** Share of the grey of an attention sink, whatever its score. */
const SINK_SHARE = 0.35;

/**
 * The mark of a score, as `influence.css` colours it on the page. `largest` is the largest score of the same scale, nats; an
 * attention sink is grey without a line.
 */
export function markOf(score: number, largest: number, isSink = false): Mark {
  const sign = signOf(score, isSink);
  const weight = isSink ? 0 : Math.min(1, Math.abs(score) / fullColour(largest));
  const { hue, edge } = HUES[sign];
  const fill = sign === 'neutral' ? null : mixed(hue, COLOURS.panel, isSink ? SINK_SHARE : weight);
  return { sign, weight, fill, hue, edge };
}

/** `share` of one colour and the rest of another, mixed in Oklab. @source CSS Color 5, `color-mix()` */
export function mixed(colour: string, other: string, share: number): string {
  return formatHex(interpolate([other, colour], 'oklab')(share));
}
