/** A function to minimise: its value at a point; it writes its slope there into `slope`. */
export type Objective = (point: Float64Array, slope: Float64Array) => number;

/** When to stop. */
export interface Stop {
  readonly steps: number;
  /** A step that lowers the value by no more than this share of it is the last. */
  readonly tolerance: number;
}

/** Changes that are remembered. */
const MEMORY = 10;
/** What a step must gain of what the slope promises, and how much of the slope it may leave. */
const [GAIN, LEFT] = [1e-4, 0.9];
const MAX_TRIALS = 30;

/** A change of the point and the change of the slope that went with it. */
interface Change {
  readonly point: Float64Array;
  readonly slope: Float64Array;
  readonly product: number;
}

/**
 * Minimises by L-BFGS with a bisecting line search for the weak Wolfe conditions. Deterministic.
 *
 * @param start  left as it is
 * @returns      the last point
 * @source       Nocedal and Wright 2006, algorithms 7.4 and 7.5; Lewis and Overton 2013, algorithm 2.6
 */
export function minimise(objective: Objective, start: Float64Array, { steps, tolerance }: Stop): Float64Array {
  let point = start.slice();
  let slope: Float64Array = new Float64Array(point.length);
  let value = objective(point, slope);
  const changes: Change[] = [];
  for (let step = 0; step < steps; step++) {
    const direction = directionOf(slope, changes);
    const first = changes.length === 0 ? 1 / Math.max(1, Math.sqrt(dot(slope, slope))) : 1;
    const found = searched(objective, { point, slope, value, direction, first });
    if (!found) return point;
    const change = { point: difference(found.point, point), slope: difference(found.slope, slope) };
    const product = dot(change.point, change.slope);
    if (product > 0) changes.push({ ...change, product });
    if (changes.length > MEMORY) changes.shift();
    const gained = value - found.value;
    ({ point, slope, value } = found);
    if (gained <= tolerance * Math.abs(value)) return point;
  }
  return point;
}

/** Against the slope, as bent as the remembered changes say. */
function directionOf(slope: Float64Array, changes: readonly Change[]): Float64Array {
  const direction = slope.map((each) => -each);
  const shares = changes.toReversed().map((change) => {
    const share = dot(change.point, direction) / change.product;
    add(direction, -share, change.slope);
    return share;
  });
  const last = changes.at(-1);
  if (last) scale(direction, last.product / dot(last.slope, last.slope));
  for (const [index, change] of changes.entries()) {
    const share = shares[changes.length - 1 - index] ?? 0;
    add(direction, share - dot(change.slope, direction) / change.product, change.point);
  }
  return direction;
}

interface Search {
  readonly point: Float64Array;
  readonly slope: Float64Array;
  readonly value: number;
  readonly direction: Float64Array;
  readonly first: number;
}

/** A point along the direction that is low enough and flat enough; undefined where there is none. */
function searched(objective: Objective, { point, slope, value, direction, first }: Search) {
  const promised = dot(slope, direction);
  let [low, high, length] = [0, Infinity, first];
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const there = point.slice();
    add(there, length, direction);
    const slopeThere = new Float64Array(point.length);
    const valueThere = objective(there, slopeThere);
    if (!(valueThere <= value + GAIN * length * promised)) high = length;
    else if (dot(slopeThere, direction) < LEFT * promised) low = length;
    else return { point: there, slope: slopeThere, value: valueThere };
    length = high === Infinity ? 2 * low : (low + high) / 2;
  }
  return undefined;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

function add(to: Float64Array, factor: number, vector: Float64Array): void {
  for (let index = 0; index < to.length; index++) to[index] = (to[index] ?? 0) + factor * (vector[index] ?? 0);
}

function scale(vector: Float64Array, factor: number): void {
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * factor;
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((each, index) => each - (b[index] ?? 0));
}
