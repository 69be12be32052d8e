import type { Size } from '../../../state/meaning/map/view.ts';

/** What is drawn over the points. */
export interface Marks {
  /** The text that is looked at. */
  readonly active: number | null;
  /** The texts nearest to it. */
  readonly neighbours: readonly number[];
  /** The line of a lasso so far, in pixels. */
  readonly line: readonly (readonly [x: number, y: number])[];
}

/** See `drawMarks`. */
export interface MarksDrawing {
  readonly places: Float32Array;
  readonly marks: Marks;
  readonly size: Size;
  readonly density: number;
  readonly ink: string;
}

/** A ring around the active text, lines to its neighbours, and the lasso. */
export function drawMarks(canvas: HTMLCanvasElement, { places, marks, size, density, ink }: MarksDrawing): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  const at = (point: number) => [places[2 * point] ?? 0, places[2 * point + 1] ?? 0] as const;
  if (marks.active !== null && 2 * marks.active < places.length) {
    const middle = at(marks.active);
    for (const other of marks.neighbours) drawLine(context, [middle, at(other)]);
    context.beginPath();
    context.arc(...middle, 8, 0, 2 * Math.PI);
    context.stroke();
  }
  if (marks.line.length > 1) {
    context.setLineDash([5, 4]);
    drawLine(context, [...marks.line, ...marks.line.slice(0, 1)]);
    context.setLineDash([]);
  }
}

function drawLine(context: CanvasRenderingContext2D, points: readonly (readonly [x: number, y: number])[]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}
