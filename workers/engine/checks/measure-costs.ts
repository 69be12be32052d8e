import type { PassCosts } from '../../kernels/batch-plan.ts';
import { repeated } from '../../kernels/float-arrays.ts';
import { isOutOfMemory } from '../device/guard.ts';
import type { Network, NetworkRun } from '../network.ts';
import { LONG_TOKENS, testIds } from './self-test.ts';

const SHORT_TOKENS = 4;

/** Sequences of larger passes, each tried where the one before took about as long as the small pass, as on a GPU. */
const BATCHES = [1, 8, 64];

/** Times of equal passes differ by this share, or by a tick of the clock. */
const NOISE = 0.05;
const TICK_MS = 0.1;

/**
 * Measures what passes cost on a network's device: a small pass, and a large one that takes twice as long or has all sequences.
 * The faster of two runs counts, because a GPU compiles shaders in the first one.
 *
 * @param network      tested, on this machine
 * @param memoryBytes  that a pass may take
 */
export async function measureCosts(
  network: Network,
  memoryBytes: number,
  now = () => performance.now(),
): Promise<PassCosts> {
  const timed = async (batch: number, most: number) => {
    const tokens = Math.min(most, network.shape.contextTokens);
    const run = passOf(network, batch, tokens);
    const [first, second] = [await msOf(run), await msOf(run)];
    return { positions: batch * tokens, ms: Math.min(first, second) };
  };
  const msOf = async (run: NetworkRun) => {
    const begin = now();
    await network.run(run);
    return now() - begin;
  };
  const small = await timed(1, SHORT_TOKENS);
  let large = small;
  try {
    for (const batch of BATCHES) if (large.ms < 2 * small.ms) large = await timed(batch, LONG_TOKENS);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error; // those before tell enough
  }
  const riseMs = Math.max(large.ms - small.ms, NOISE * small.ms, TICK_MS);
  const positionMs = riseMs / Math.max(1, large.positions - small.positions);
  return { passMs: Math.max(small.ms - small.positions * positionMs, positionMs), positionMs, memoryBytes };
}

/** A pass as operations run it: of sections suppressed before a target, of texts that are embedded or read. */
function passOf(network: Network, batch: number, tokens: number): NetworkRun {
  const { vocabulary, outputs } = network.shape;
  const ids = testIds(network, tokens, 0);
  if (vocabulary > 0) {
    const perturbation = { mode: 'additive', factors: new Float32Array(batch * tokens).fill(1) } as const;
    return { batch, ids, sameIds: true, perturbation, rows: 1, targets: ids.subarray(0, 1) };
  }
  const texts = { batch, ids: repeated(ids, batch) };
  return outputs.length > 0
    ? { ...texts, outputs }
    : { ...texts, pooling: { weights: new Float32Array(tokens).fill(1 / tokens), pools: 1 } };
}
