import { joined } from '../../kernels/float-arrays.ts';
import { eachPosition, type Network, type NetworkAnswer } from '../network.ts';
import { agree } from './test-runs.ts';

/** How much shorter the padded sequence is than the one beside it. */
export const PADDING = 7;

/** Outputs of one sequence, by position where they have positions: their beginnings can be compared at any padding. */
interface Seen {
  readonly pooled: Float32Array;
  readonly outputs: NetworkAnswer['outputs'];
}

/**
 * Whether a sequence computes the same beside a longer one, padded, as alone: its states at every layer and position, and
 * the graph's own outputs. Some exports compute lengths or positions from what stands in the ids.
 *
 * @param ids  of the longer sequence, at least 2
 * @param tolerance  allowed difference, as a share of 1 + the largest number
 */
export async function hidesPadding(network: Network, ids: Int32Array, tolerance: number): Promise<boolean> {
  const { takesPadding, layers, width, outputs } = network.shape;
  const tokens = ids.length;
  const short = Math.max(1, tokens - PADDING);
  if (!takesPadding || tokens <= short) return false;
  const own = ids.subarray(PADDING);
  const padded = new Int32Array(tokens).fill(network.shape.paddingId);
  padded.set(own.subarray(0, short));
  const alone = seenIn(
    await network.run({ batch: 1, ids: own.slice(0, short), pooling: eachPosition(short), outputs }),
  );
  const both = seenIn(
    await network.run({
      batch: 2,
      ids: Int32Array.from([...ids, ...padded]),
      lengths: Int32Array.of(tokens, short),
      pooling: eachPosition(tokens),
      outputs,
    }),
  );
  const block = tokens * width;
  const begins = Array.from({ length: layers + 1 }, (_, layer) => (layers + 1 + layer) * block);
  const states = joined(begins.map((begin) => both.pooled.subarray(begin, begin + short * width)));
  return (
    agree(states, alone.pooled, tolerance) &&
    outputs.every((name) => agree(secondOf(both, name, alone), valuesOf(alone, name), tolerance))
  );
}

function seenIn({ pooled, outputs }: NetworkAnswer): Seen {
  if (pooled === undefined) throw new TypeError('states that were asked for are missing');
  return { pooled, outputs };
}

function valuesOf({ outputs }: Seen, name: string): Float32Array {
  return outputs?.[name]?.values ?? new Float32Array(0);
}

/** The second sequence's part of an output, as long as it is alone. */
function secondOf(both: Seen, name: string, alone: Seen): Float32Array {
  const values = valuesOf(both, name);
  const half = values.length / 2;
  return values.subarray(half, half + valuesOf(alone, name).length);
}
