import { resultWords } from '../../../../words/en/explain/result.ts';
import { numberText } from '../../../../words/numbers.ts';
import { NEUTRAL_NATS } from '../../../../state/explain/influence.ts';
import { fullColour } from '../../result/heat/colour-scale.ts';
import { type Box, DASHES, type Rule, type Shape } from './figure.ts';
import { COLOURS, markOf } from './palette.ts';
import { label } from './sheet.ts';
import type { Face, Typesetter } from './typesetter.ts';

/** What the colours of a figure mean. */
export interface LegendOptions {
  readonly typesetter: Typesetter;
  readonly face: Face;
  /** Largest absolute score on the scale, nats. */
  readonly largest: number;
  /** Leaves the numbers at the ends out, where the same colours stand for several scales. */
  readonly hasNumbers?: boolean;
}

/** Steps from no colour to the full one. */
const STEPS = 10;

/** Width of a step at a font of 10 points: whole dashes. */
const STEP_WIDTH = 2 * (DASHES[0] + DASHES[1]);

/** The scale from full blue over nothing to full amber, with the numbers at its ends, from its upper left corner. */
export function legend(options: LegendOptions): { shapes: Shape[]; height: number } {
  const { typesetter, face, largest, hasNumbers = true } = options;
  const full = fullColour(largest);
  const scale = Math.round(face.size / 10);
  const [step, height] = [STEP_WIDTH * scale, face.size * 1.2];
  const baseline = typesetter.baseline(face);
  const top = (face.leading - height) / 2;
  const gap = face.size * 0.6;
  const words = resultWords().heat;
  const opposes = hasNumbers ? `${words.opposes}  −${numberText(full)}` : words.opposes;
  const supports = hasNumbers ? `+${numberText(full)}  ${words.supports}` : words.supports;
  const before = label(opposes, { left: 0, baseline }, { face, typesetter });
  const left = typesetter.width(opposes, face) + gap;
  const scores = Array.from({ length: 2 * STEPS }, (_, index) => scoreOfStep(index, full));
  const steps = scores.flatMap((score, index) =>
    markShapes({ left: left + index * step, top, width: step, height }, markOf(score, full), { scale }),
  );
  const right = left + 2 * STEPS * step;
  const outline: Shape[] = [top, top + height].map((at) => thinLine(left, at, right - left));
  const after = label(supports, { left: right + gap, baseline }, { face, typesetter });
  const end = right + 3 * gap + typesetter.width(supports, face);
  const unit = label(
    words.unit(numberText(NEUTRAL_NATS)),
    { left: end, baseline },
    { face, typesetter, colour: COLOURS.inkSoft },
  );
  return { shapes: [...steps, ...outline, before, after, unit], height: face.leading };
}

/** Score in the middle of a step, counted from the left. */
function scoreOfStep(index: number, full: number): number {
  return ((index + 0.5 - STEPS) / STEPS) * full;
}

function thinLine(left: number, top: number, width: number): Box {
  return { kind: 'box', left, top: top - 0.375, width, height: 0.75, fill: COLOURS.line };
}

/** Thickness of the line below a section with the full colour, points; `scale` makes it fit a larger font. */
const FULL_RULE = 3;

/** Where a section is drawn. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A section in its colour, and the line below it that shows sign and size without colour. */
export function markShapes(
  { left, top, width, height }: Place,
  { fill, edge, sign, weight }: ReturnType<typeof markOf>,
  { radius = 0, scale = 1 }: { radius?: number; scale?: number } = {},
): Shape[] {
  if (fill === null || width <= 0) return [];
  const thickness = weight * FULL_RULE * scale;
  const box: Box = { kind: 'box', left, top, width, height, fill, radius };
  const rule: Rule = {
    ...{ kind: 'rule', left, top: top + height - thickness / 2, width, thickness },
    ...{ colour: edge, isBroken: sign === 'opposes' },
  };
  return [box, rule];
}
