import { polygonContains } from 'd3-polygon';

/** Directions of the arrow keys. */
export type Direction = 'left' | 'right' | 'up' | 'down';

/** The point nearest to a pixel; null where none is within `reach` pixels. */
export function pointAt(pixels: Float32Array, x: number, y: number, reach: number): number | null {
  let [best, found] = [reach * reach, -1];
  for (let at = 0; at + 1 < pixels.length; at += 2) {
    const distance = ((pixels[at] ?? 0) - x) ** 2 + ((pixels[at + 1] ?? 0) - y) ** 2;
    if (distance < best) [best, found] = [distance, at / 2];
  }
  return found < 0 ? null : found;
}

/**
 * The nearest point in a direction: within 45 degrees of it, near ones and straight ones first. The same point where there is none.
 *
 * @param points `[points, 2]`, y upwards
 */
export function pointTowards(points: Float32Array, from: number, direction: Direction): number {
  const [x, y] = [points[2 * from] ?? 0, points[2 * from + 1] ?? 0];
  let [best, found] = [Infinity, from];
  for (let point = 0; point < points.length / 2; point++) {
    const [ahead, aside] = turned((points[2 * point] ?? 0) - x, (points[2 * point + 1] ?? 0) - y, direction);
    if (point === from || ahead <= 0 || aside > ahead) continue;
    const distance = ahead + 2 * aside;
    if (distance < best) [best, found] = [distance, point];
  }
  return found;
}

function turned(x: number, y: number, direction: Direction): readonly [ahead: number, aside: number] {
  if (direction === 'left' || direction === 'right') return [direction === 'right' ? x : -x, Math.abs(y)];
  return [direction === 'up' ? y : -y, Math.abs(x)];
}

/** The points inside a line that was drawn by hand; it is closed from its end to its beginning. */
export function pointsInside(pixels: Float32Array, line: readonly (readonly [x: number, y: number])[]): number[] {
  if (line.length < 3) return [];
  const polygon = line.map(([x, y]): [number, number] => [x, y]);
  const xs = line.map(([x]) => x);
  const ys = line.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const inside: number[] = [];
  for (let at = 0; at + 1 < pixels.length; at += 2) {
    const [x, y] = [pixels[at] ?? 0, pixels[at + 1] ?? 0];
    if (x < left || x > right || y < top || y > bottom) continue;
    if (polygonContains(polygon, [x, y])) inside.push(at / 2);
  }
  return inside;
}

/** The middle of each group: the median on each axis, so that a few strays do not move it. `[groups]` */
export function middlesOf(points: Float32Array, labels: Int32Array, groups: number): [x: number, y: number][] {
  const members = Array.from({ length: groups }, (): [number[], number[]] => [[], []]);
  for (const [point, label] of labels.entries()) {
    members[label]?.[0].push(points[2 * point] ?? 0);
    members[label]?.[1].push(points[2 * point + 1] ?? 0);
  }
  return members.map(([xs, ys]) => [median(xs), median(ys)]);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
