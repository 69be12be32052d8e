import { shuffled } from './seeded-random.ts';
import type { SectionSubset } from './sparse-linear.ts';

/** An order in which sections are added, and its reverse: what one adds in the company of others evens out. */
type OrderPair = readonly [order: readonly number[], reverse: readonly number[]];

/** Random orders, the same for the same counts. @source Mitchell et al. 2022, "Sampling permutations for Shapley value estimation", section 3 */
export function orderPairs(sections: number, pairs: number): OrderPair[] {
  const all = Array.from({ length: sections }, (_, section) => section);
  return Array.from({ length: pairs }, (_, pair) => {
    const order = shuffled(all, pair + 1);
    return [order, order.toReversed()];
  });
}

/** The subsets on the way from no section to all, `[sections + 1]`. */
export function subsetsAlong(order: readonly number[]): SectionSubset[] {
  return Array.from({ length: order.length + 1 }, (_, count) => {
    const kept = new Uint8Array(order.length);
    for (const section of order.slice(0, count)) kept[section] = 1;
    return kept;
  });
}

/**
 * What each section adds along an order.
 *
 * @param values  of `subsetsAlong`, `[sections + 1]` of float64 `[columns]`
 * @returns       float64 `[sections, columns]`
 */
export function contributions(order: readonly number[], values: readonly Float64Array[]): Float64Array {
  const width = values[0]?.length ?? 0;
  const found = new Float64Array(order.length * width);
  order.forEach((section, at) => {
    for (let column = 0; column < width; column++)
      found[section * width + column] = (values[at + 1]?.[column] ?? NaN) - (values[at]?.[column] ?? NaN);
  });
  return found;
}

/** The mean of arrays of one length. */
export function meansOf(samples: readonly Float64Array[]): Float64Array {
  const sum = (at: number) => samples.reduce((total, own) => total + (own[at] ?? NaN), 0);
  return Float64Array.from(samples[0] ?? [], (_, at) => sum(at) / samples.length);
}

/** Student's t that nine in ten do not exceed in size, by degrees of freedom, from 1. */
const STUDENT = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833] as const;
const NORMAL = 1.645;

/**
 * Means of independent samples, and how far they may be off: Student's t times the standard error, which nine in ten errors do not
 * exceed where means are about normal.
 *
 * @param samples  at least two, of one length
 */
export function meansWithMargins(samples: readonly Float64Array[]): {
  readonly means: Float64Array;
  readonly margins: Float64Array;
} {
  const count = samples.length;
  const means = meansOf(samples);
  const factor = STUDENT[count - 2] ?? NORMAL;
  const margins = means.map((mean, at) => {
    const squares = samples.reduce((sum, own) => sum + ((own[at] ?? NaN) - mean) ** 2, 0);
    return factor * Math.sqrt(squares / (count - 1) / count);
  });
  return { means, margins };
}
