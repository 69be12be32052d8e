import type { Face, Run } from './typesetter.ts';

/**
 * A drawing as data. Lengths are points from the upper left corner, colours `#rrggbb`. The writers turn it into SVG, PNG
 * and PDF, so that all three show the same.
 */
export interface Figure {
  readonly width: number;
  readonly height: number;
  /** One line, for readers that show no picture. */
  readonly title: string;
  /** In the order in which they are drawn; words are above all others. */
  readonly shapes: readonly Shape[];
}

/** What a figure consists of. */
export type Shape = Box | Rule | Path | Words | Photo;

/** A filled rectangle. */
export interface Box {
  readonly kind: 'box';
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  /** 0 … 1; left out: 1. */
  readonly opacity?: number;
  /** Of its corners; left out: 0. */
  readonly radius?: number;
  /** Of its outline; left out: none. */
  readonly stroke?: string;
}

/** A horizontal line, whole or broken; `top` is its middle. */
export interface Rule {
  readonly kind: 'rule';
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly thickness: number;
  readonly colour: string;
  readonly isBroken: boolean;
}

/** A line through points. */
export interface Path {
  readonly kind: 'path';
  /** From left and from top; at least two. */
  readonly points: readonly (readonly [left: number, top: number])[];
  readonly thickness: number;
  readonly colour: string;
  /** Dashes and gaps in turn; empty for a whole line. */
  readonly dashes: readonly number[];
}

/** Dashes and gaps of a broken line. */
export const DASHES = [4, 3] as const;

/** One line of text. */
export interface Words {
  readonly kind: 'words';
  readonly face: Face;
  readonly colour: string;
  readonly baseline: number;
  /** Whether the line as a whole runs from right to left. */
  readonly isRtl: boolean;
  /** In the order of the text, without white space at the end of the line; not empty. */
  readonly runs: readonly Run[];
}

/** A picture; `href` is a data URL. */
export interface Photo {
  readonly kind: 'photo';
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly href: string;
}

/** The same shapes at another place. */
export function moved(shapes: readonly Shape[], right: number, down: number): Shape[] {
  return shapes.map((shape) => movedShape(shape, right, down));
}

function movedShape(shape: Shape, right: number, down: number): Shape {
  if (shape.kind === 'path')
    return { ...shape, points: shape.points.map(([left, top]) => [left + right, top + down] as const) };
  if (shape.kind !== 'words') return { ...shape, left: shape.left + right, top: shape.top + down };
  const runs = shape.runs.map((run) => ({ ...run, left: run.left + right }));
  return { ...shape, baseline: shape.baseline + down, runs };
}
