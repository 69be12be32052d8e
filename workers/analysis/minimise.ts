/** A function to minimise: returns its value at a point and writes its gradient into `slope`. */
export type Objective = (point: Float64Array, slope: Float64Array) => number;

/** Changes that the Hessian is estimated from. */
const MEMORY = 10;
/** Constants of the Wolfe conditions: sufficient decrease and curvature. */
const [DECREASE, CURVATURE] = [1e-4, 0.9];
const MAX_TRIALS = 30;

/** A step: the change of the point, of the gradient, and their inner product. */
interface Change {
  readonly point: Float64Array;
  readonly slope: Float64Array;
  readonly product: number;
}

/**
 * Minimises by L-BFGS with a bisecting line search for the weak Wolfe conditions. Deterministic.
 *
 * @param start      not changed
 * @param tolerance  the last step is one that lowers the value by no more than this share of it
 * @returns          the last point
 * @source           Nocedal and Wright 2006, algorithms 7.4 and 7.5; Lewis and Overton 2013, algorithm 2.6
 */
export function minimise(
  objective: Objective,
  start: Float64Array,
  { steps, tolerance }: { readonly steps: number; readonly tolerance: number },
): Float64Array {
  let point = start.slice();
  let slope: Float64Array = new Float64Array(point.length);
  let value = objective(point, slope);
  const changes: Change[] = [];
  for (let step = 0; step < steps; step++) {
    const direction = directionOf(slope, changes);
    const first = changes.length === 0 ? 1 / Math.max(1, Math.sqrt(dot(slope, slope))) : 1;
    const next = lineSearch(objective, { point, slope, value }, direction, first);
    if (!next) return point;
    const change = { point: difference(next.point, point), slope: difference(next.slope, slope) };
    const product = dot(change.point, change.slope);
    if (product > 0) changes.push({ ...change, product });
    if (changes.length > MEMORY) changes.shift();
    const decrease = value - next.value;
    ({ point, slope, value } = next);
    if (decrease <= tolerance * Math.abs(value)) return point;
  }
  return point;
}

/** The descent direction by the L-BFGS two-loop recursion. */
function directionOf(slope: Float64Array, changes: readonly Change[]): Float64Array {
  const direction = slope.map((value) => -value);
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

/** A point along the direction that meets the Wolfe conditions; undefined if there is none. */
function lineSearch(
  objective: Objective,
  { point, slope, value }: { readonly point: Float64Array; readonly slope: Float64Array; readonly value: number },
  direction: Float64Array,
  first: number,
) {
  const directional = dot(slope, direction);
  let [low, high, length] = [0, Infinity, first];
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const next = { point: point.slice(), slope: new Float64Array(point.length), value: 0 };
    add(next.point, length, direction);
    next.value = objective(next.point, next.slope);
    if (!(next.value <= value + DECREASE * length * directional)) high = length;
    else if (dot(next.slope, direction) < CURVATURE * directional) low = length;
    else return next;
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
  return a.map((value, index) => value - (b[index] ?? 0));
}
