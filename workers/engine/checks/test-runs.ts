import { differenceOf, magnitudeOf, joined } from '../../kernels/float-arrays.ts';
import { type NetworkRun, type KvCache, type Network, tokensOf, eachPosition } from '../network.ts';

/** Length of the long run: long enough for kernels that treat 32 rows and more in another way. */
export const LONG_TOKENS = 40;

/**
 * Differences up to this share of the largest result are rounding. Errors seen so far were a thousand times larger. Dynamic
 * int8 rounds all of a pass by its largest number, which a control may change: a sixth of the largest result was seen.
 */
export const TOLERANCE = { float32: 1e-3, float16: 3e-2, int8: 0.25 } as const;

/** Whether results differ by no more than rounding: by `tolerance`, as a share of 1 + the largest expected number. */
export function agree(found: Float32Array, expected: Float32Array, tolerance: number): boolean {
  return differenceOf(found, expected) <= allowedDifference(expected, tolerance);
}

/** See `agree`. */
export function allowedDifference(expected: Float32Array, tolerance: number): number {
  return tolerance * (1 + magnitudeOf(expected));
}

/** Rows of results, one per position: logits, or the last layer's states. */
export type Observe = (run: Omit<NetworkRun, 'rows' | 'logits' | 'pooling'>) => Promise<Observation>;

/** Results of a run, and its keys and values where they were asked for. */
export interface Observation {
  readonly values: Float32Array;
  readonly kvCache: KvCache | undefined;
}

/** Notes a fault where results differ by more than rounding. */
export type Compare = (what: string, found: Float32Array, expected: Float32Array) => void;

/** Runs a network and takes its result at every position: logits, or the last layer's states where it has no head. */
export function observer(network: Network): Observe {
  const { vocabulary, layers, width } = network.shape;
  return async (run) => {
    const tokens = tokensOf(run);
    if (vocabulary > 0) {
      const answer = await network.run({ ...run, rows: tokens, logits: true });
      return { values: answer.logits ?? new Float32Array(0), kvCache: answer.kvCache };
    }
    const { pooled = new Float32Array(0) } = await network.run({ ...run, pooling: eachPosition(tokens) });
    const block = tokens * width;
    const last = Array.from({ length: run.batch }, (_, each) => ((each + 1) * (layers + 1) - 1) * block);
    return { values: joined(last.map((start) => pooled.subarray(start, start + block))), kvCache: undefined };
  };
}

/**
 * Ids spread over the vocabulary, padding left out: some networks count positions by it. Another `salt` gives others at
 * every position.
 */
export function testIds({ shape }: Network, tokens: number, salt: number): Int32Array {
  const choice = Math.max(3, Math.min(shape.vocabulary || 64, 1000));
  const idAt = (index: number) => (index * 37 + 11 + salt * 17) % choice;
  return Int32Array.from({ length: tokens }, (_, index) =>
    idAt(index) === shape.paddingId ? (idAt(index) + 1) % choice : idAt(index),
  );
}

/** Factors of the positions, 1 where nothing is named. */
export function factorsOf(tokens: number, changed: Readonly<Record<number, number>>): Float32Array {
  return Float32Array.from({ length: tokens }, (_, index) => changed[index] ?? 1);
}
