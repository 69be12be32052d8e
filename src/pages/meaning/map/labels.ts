import type { Size } from './view.ts';

type Point = readonly [x: number, y: number];

/** Points on the screen. */
interface Discs {
  /** Pixels, `[points, 2]`. */
  readonly positions: Float32Array;
  /** Pixels, `[points]`. */
  readonly radii: Float32Array;
}

/** Side of a cell of the grid on which room is looked for. */
const CELL = 4;
/** Least distance between labels, in cells. */
const GAP = 1;
/** Distances from a label's own place at which room is looked for, in cells, and directions at each, above first. */
const RINGS = [0, 2, 4, 6, 8, 11, 14, 18, 22, 27, 33, 40];
const DIRECTIONS = 16;
const OFFSETS = RINGS.flatMap((ring) =>
  Array.from({ length: ring === 0 ? 1 : DIRECTIONS }, (_, turn): Point => {
    const angle = (2 * Math.PI * turn) / DIRECTIONS;
    return [ring * Math.sin(angle), -ring * Math.cos(angle)];
  }),
);

/**
 * Places for labels near their points that cover neither a point nor another label: for each the corner at the top left, in
 * pixels, or null where there is no room.
 *
 * @param middles  where each label would be centred, in pixels, `[labels, 2]`
 */
export function labelPlaces(
  labels: readonly Size[],
  middles: Float32Array,
  { positions, radii }: Discs,
  size: Size,
): (Point | null)[] {
  const grid = createGrid(size);
  for (const [point, radius] of radii.entries()) {
    const [x, y] = [positions[2 * point] ?? 0, positions[2 * point + 1] ?? 0];
    grid.fill((x - radius) / CELL, (y - radius) / CELL, (x + radius) / CELL, (y + radius) / CELL);
  }
  return labels.map((label, index) => {
    const [wide, high] = [Math.ceil(label.width / CELL), Math.ceil(label.height / CELL)];
    const [x, y] = [(middles[2 * index] ?? 0) / CELL - wide / 2, (middles[2 * index + 1] ?? 0) / CELL - high / 2];
    const corners = OFFSETS.map(([right, down]): Point => [Math.round(x + right), Math.round(y + down)]);
    const corner = corners.find(([left, top]) => wide > 0 && grid.isFree(left, top, left + wide, top + high));
    if (!corner) return null;
    const [left, top] = corner;
    grid.fill(left - GAP, top - GAP, left + wide + GAP - 1, top + high + GAP - 1);
    return [CELL * left, CELL * top];
  });
}

/** Cells that are free until they are filled; all bounds in cells. */
function createGrid({ width, height }: Size) {
  const [columns, rows] = [Math.floor(width / CELL), Math.floor(height / CELL)];
  const full = new Uint8Array(columns * rows);
  return {
    /** Fills the cells from `left` to `right` and from `top` to `bottom`, both ends included. */
    fill(left: number, top: number, right: number, bottom: number): void {
      const [from, to] = [Math.max(0, Math.floor(left)), Math.min(columns, Math.floor(right) + 1)];
      if (to <= from) return;
      for (let row = Math.max(0, Math.floor(top)); row <= Math.min(rows - 1, bottom); row++)
        full.fill(1, row * columns + from, row * columns + to);
    },
    /** Whether the cells up to `right` and `bottom`, those excluded, are inside and free. */
    isFree(left: number, top: number, right: number, bottom: number): boolean {
      if (left < 0 || top < 0 || right > columns || bottom > rows) return false;
      for (let row = top; row < bottom; row++)
        if (full.subarray(row * columns + left, row * columns + right).includes(1)) return false;
      return true;
    },
  };
}

/** Moves the labels of a layer to their places, and hides those without one. @param middles  as in `labelPlaces` */
export function placeLabels(layer: HTMLElement, middles: Float32Array, discs: Discs, size: Size): void {
  const labels = [...layer.children].filter((child) => child instanceof HTMLElement);
  // All sizes are read before styles are written, so that the browser computes the layout once.
  const sizes = labels.map(({ offsetWidth, offsetHeight }) => ({ width: offsetWidth, height: offsetHeight }));
  for (const [index, place] of labelPlaces(sizes, middles, discs, size).entries()) {
    const { style } = labels[index] ?? layer;
    style.opacity = place ? '1' : '0';
    if (place) style.transform = `translate(${place[0]}px, ${place[1]}px)`;
  }
}
