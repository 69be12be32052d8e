import { costsOf, type Network, type NetworkRun, type Perturbation } from '../../engine/network.ts';
import { activationBytes, planPasses } from '../../kernels/batch-plan.ts';

/** Decides which sequences of these lengths share a pass of a network: each index exactly once. */
export function paddedBatches(lengths: readonly number[], network: Network): number[][] {
  const { shape } = network;
  const bytesOf = (tokens: number) => activationBytes(shape, tokens, tokens, 0);
  return planPasses(lengths, costsOf(network), { bytesOf, takesPadding: shape.takesPadding });
}

/** A run of sequences padded on the right to the longest, with the end of each and its factors; without factors all are 1. */
export function paddedRun(
  sequences: readonly { readonly ids: readonly number[]; readonly factors?: ArrayLike<number> | undefined }[],
  mode: Perturbation['mode'],
  paddingId: number,
): NetworkRun {
  const batch = sequences.length;
  const lengths = Int32Array.from(sequences, ({ ids }) => ids.length);
  const tokens = Math.max(...lengths);
  const block = batch * tokens;
  const ids = paddedRows(
    sequences.map((each) => each.ids),
    new Int32Array(block).fill(paddingId),
  );
  const factors = paddedRows(
    sequences.map((each) => each.factors ?? []),
    new Float64Array(block).fill(1),
  );
  return {
    batch,
    ids,
    ...(lengths.some((length) => length < tokens) && { lengths }),
    ...(factors.some((factor) => factor !== 1) && { perturbation: { mode, factors } }),
  };
}

/** Rows copied into a block that holds the padding, `[rows, tokens]`. */
export function paddedRows<Block extends Int32Array | Float32Array | Float64Array>(
  rows: readonly ArrayLike<number>[],
  block: Block,
): Block {
  rows.forEach((row, i) => block.set(row, (i * block.length) / rows.length));
  return block;
}
