import { FailureError } from '../../src/contract/failure.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { isOutOfMemory } from '../engine/device/memory.ts';
import type { Network, NetworkRun } from '../engine/network.ts';

/**
 * Computes members of a batch together, or in halves, and halves of those, where memory does not suffice.
 *
 * @param compute  one value for each member, in order
 * @throws {FailureError} OUT_OF_MEMORY when a member alone is too large
 */
export async function inFittingParts<Member, Value>(
  members: readonly Member[],
  compute: (part: readonly Member[]) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  try {
    return await compute(members);
  } catch (error) {
    if (members.length < 2 || !isOutOfMemory(error)) throw error;
    const half = Math.ceil(members.length / 2);
    const first = await inFittingParts(members.slice(0, half), compute);
    return [...first, ...(await inFittingParts(members.slice(half), compute))];
  }
}

/** Shorter sequences are no longer tried: a device without memory for these has none for anything. */
const SHORTEST = 8;

/**
 * Runs a job; where memory does not suffice even for its smallest pass, tries how long a sequence may be.
 *
 * @throws {FailureError} OUT_OF_MEMORY saying what would fit
 */
export async function sayingWhatFits<Value>({ network }: LoadedModel, job: () => Promise<Value>): Promise<Value> {
  try {
    return await job();
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    const tokens = await longestThatFits(network);
    throw new FailureError(
      'OUT_OF_MEMORY',
      tokens === 0
        ? 'expected memory for a pass of the model, got none; close other pages or programs'
        : `expected a prompt of at most about ${tokens} tokens, which this device has memory for at present, got a longer one`,
    );
  }
}

/** Halves the context until a pass succeeds; 0 when none does. */
async function longestThatFits(network: Network): Promise<number> {
  for (let tokens = Math.floor(network.shape.contextTokens / 2); tokens >= SHORTEST; tokens = Math.floor(tokens / 2))
    try {
      await network.run(probe(network, tokens));
      return tokens;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
  return 0;
}

/** The cheapest pass of so many tokens whose end can be asked for. */
function probe({ shape }: Network, tokens: number): NetworkRun {
  const run = { batch: 1, ids: new Int32Array(tokens) };
  const [output] = shape.outputs;
  if (shape.vocabulary > 0) return { ...run, logits: true };
  if (output !== undefined) return { ...run, outputs: [output] };
  const weights = new Float32Array(tokens).fill(1 / tokens);
  return { ...run, pooling: { weights, pools: 1, perSequence: false } };
}
