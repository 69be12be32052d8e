import { activationBytes, type NetworkSize } from './batch-plan.ts';

/** Beyond this many sequences a pass gains nothing more. */
const MAX_MEMBERS = 32;

/** See `planPaddedBatches`. */
export interface PaddedBatchOptions {
  readonly size: NetworkSize;
  /** Bytes of activations one pass may take; a single sequence always goes. */
  readonly budget: number;
  /** Positions of padding that a pass may compute, as a share of its real ones. */
  readonly waste: number;
  /** Without it only sequences of one length share a pass. */
  readonly takesPadding: boolean;
  /** Sequences of a pass at most; left out: 32. */
  readonly mostMembers?: number;
}

/**
 * Which sequences share a forward pass: those of similar length, so that little is padded.
 *
 * @param lengths  tokens of each sequence, `[sequences]`
 * @returns        batches that hold each index exactly once; the longest sequences come first, within a batch too
 */
export function planPaddedBatches(lengths: readonly number[], options: PaddedBatchOptions): number[][] {
  const { size, budget, waste, takesPadding, mostMembers = MAX_MEMBERS } = options;
  const lengthOf = (index: number) => lengths[index] ?? 0;
  const byLength = [...lengths.keys()].sort((a, b) => lengthOf(b) - lengthOf(a));
  const batches: number[][] = [];
  let real = 0;
  for (const index of byLength) {
    const batch = batches.at(-1);
    const longest = lengthOf(batch?.[0] ?? index);
    const members = (batch?.length ?? 0) + 1;
    const padded = members * longest;
    const fits =
      members <= mostMembers &&
      members * activationBytes(size, longest, longest, 0) <= budget &&
      (takesPadding ? padded <= (1 + waste) * (real + lengthOf(index)) : lengthOf(index) === longest);
    if (batch && fits) batch.push(index);
    else batches.push([index]);
    real = (batch && fits ? real : 0) + lengthOf(index);
  }
  return batches;
}
