import { differenceOf } from '../../kernels/float-arrays.ts';
import type { Network } from '../network.ts';
import { checkLong } from './long-run-checks.ts';
import { hidesPadding } from './padding-test.ts';
import { checkShort } from './short-run-checks.ts';
import { TOLERANCE, allowedDifference, observer, testIds, LONG_TOKENS } from './test-runs.ts';

/** Result of the self-test of a backend. */
export interface SelfTest {
  /** A sentence about the first wrong number; undefined when all relations hold. */
  readonly fault: string | undefined;
  /** Whether positions see earlier ones only. */
  readonly isCausal: boolean;
  /** Whether sequences of different lengths may share a batch. */
  readonly takesPadding: boolean;
  /** Time of a run of `LONG_TOKENS` tokens, the better of two. */
  readonly longRunMs: number;
  /** Results of that run, to compare backends by. */
  readonly longRun: Float32Array;
  /** Largest difference between two ways to the same numbers. */
  readonly largestDifference: number;
}

/**
 * Checks, before a network is used, that its backend computes what the explanation relies on. Backends have been seen to
 * ignore biases, to drop a soft cap and to be wrong from 32 rows on, always silently.
 *
 * 1. Neutral factors change nothing.
 * 2. A suppressed column changes rows from its own on, and in a causal network none before.
 * 3. What stands in suppressed columns does not matter to the rows behind: every attention is under control.
 * 4. A batch computes what single runs do.
 * 5. Behind a KV cache, longer than needed, the rest of the sequence computes what the whole does; also for 40 tokens,
 *    and also when a batch keeps KV caches of its own in between.
 * 6. The last rows, asked for alone, are those of the whole.
 *
 * Whether padding is hidden is only reported: a network that does not hide it is used with equal lengths.
 *
 * @source decided here, 2026-11, from measurements on 88 exported graphs
 */
export async function selfTest(
  network: Network,
  precision: keyof typeof TOLERANCE,
  now = () => performance.now(),
): Promise<SelfTest> {
  const faults: string[] = [];
  let largestDifference = 0;
  const compare = (what: string, found: Float32Array, expected: Float32Array): void => {
    const difference = differenceOf(found, expected);
    largestDifference = Math.max(largestDifference, difference);
    const limit = allowedDifference(expected, TOLERANCE[precision]);
    if (!(difference <= limit))
      faults.push(`${what}: off by ${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`);
  };
  const observe = observer(network);
  const isCausal = await checkShort(network, observe, compare, faults);
  const { longRun, longRunMs } = await checkLong(network, observe, compare, now);
  const longest = testIds(network, Math.min(LONG_TOKENS, network.shape.contextTokens), 0);
  const takesPadding = await hidesPadding(network, longest, TOLERANCE[precision]);
  return { fault: faults[0], isCausal, takesPadding, longRunMs, longRun, largestDifference };
}
