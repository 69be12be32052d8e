/** The visible part of the plane. */
export interface MapViewport {
  /** Point of the plane in the middle of the window. */
  readonly x: number;
  readonly y: number;
  /** Pixels per unit. */
  readonly scale: number;
}

/** A width and a height, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Share of the window that the points span. */
const MARGIN = 0.9;
const [LEAST_ZOOM, MOST_ZOOM] = [0.5, 200];

/** The whole plane from −1 to 1. */
export function wholeView({ width, height }: Size): MapViewport {
  return { x: 0, y: 0, scale: Math.max(1, (MARGIN * Math.min(width, height)) / 2) };
}

/** The view after a drag by pixels. */
export function panned({ x, y, scale }: MapViewport, byX: number, byY: number): MapViewport {
  return { x: x - byX / scale, y: y + byY / scale, scale };
}

/** The view zoomed by a factor around a pixel. */
export function zoomed(
  view: MapViewport,
  factor: number,
  at: { readonly x: number; readonly y: number },
  size: Size,
): MapViewport {
  const whole = wholeView(size).scale;
  const scale = Math.min(MOST_ZOOM * whole, Math.max(LEAST_ZOOM * whole, view.scale * factor));
  const [offX, offY] = [at.x - size.width / 2, at.y - size.height / 2];
  return {
    x: view.x + offX / view.scale - offX / scale,
    y: view.y - offY / view.scale + offY / scale,
    scale,
  };
}

/** Pixels of every point, `[points, 2]`; y grows downwards. */
export function pixelsOf(
  points: Float32Array,
  view: MapViewport,
  { width, height }: Size,
  into?: Float32Array,
): Float32Array {
  const pixels = into?.length === points.length ? into : new Float32Array(points.length);
  for (let at = 0; at + 1 < points.length; at += 2) {
    pixels[at] = width / 2 + ((points[at] ?? 0) - view.x) * view.scale;
    pixels[at + 1] = height / 2 - ((points[at + 1] ?? 0) - view.y) * view.scale;
  }
  return pixels;
}

/** The same view if a point is visible, otherwise the view centred on it. */
export function showing(
  view: MapViewport,
  point: readonly [x: number, y: number],
  { width, height }: Size,
): MapViewport {
  const [offX, offY] = [Math.abs(point[0] - view.x) * view.scale, Math.abs(point[1] - view.y) * view.scale];
  return offX < width / 2 && offY < height / 2 ? view : { ...view, x: point[0], y: point[1] };
}

/** Levels of piles: at each, the area of a point doubles, so the largest is 8 times as large. */
export const PILE_LEVELS = 4;

/**
 * How many points each point is drawn over: 0 for one alone, one more with each doubling, at most `PILE_LEVELS` − 1.
 *
 * @param positions  pixels, `[points, 2]`
 * @param side       pixels; points in one cell of a grid of this side are a pile
 */
export function pileLevels(positions: Float32Array, side: number): Uint8Array {
  const cells = Float64Array.from({ length: positions.length / 2 }, (_, point) => {
    const [x, y] = [positions[2 * point] ?? 0, positions[2 * point + 1] ?? 0];
    return Math.floor(x / side) + 1e6 * Math.floor(y / side);
  });
  const sizes = new Map<number, number>();
  for (const cell of cells) sizes.set(cell, (sizes.get(cell) ?? 0) + 1);
  return Uint8Array.from(cells, (cell) => Math.min(PILE_LEVELS - 1, Math.floor(Math.log2(sizes.get(cell) ?? 1))));
}

/** Radius of a pile in radii of a single point. */
export function pileScale(level: number): number {
  return Math.sqrt(2 ** level);
}
