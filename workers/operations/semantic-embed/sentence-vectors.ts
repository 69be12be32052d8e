import type { Network, NetworkRun, Perturbation } from '../../engine/network.ts';
import { normalized } from '../../kernels/pooling.ts';
import type { WeighedSequence } from './represented.ts';

/** Sequences of a pass, padded to the longest. */
interface Padded {
  readonly run: NetworkRun;
  readonly tokens: number;
  /** Weights of positions, `[batch, tokens]`, 0 in padding. */
  readonly weights: Float32Array;
}

/** Outputs with the last layer's states behind the final norm, `[batch, tokens, width]`. */
const STATES = ['last_hidden_state', 'token_embeddings'];
const SENTENCE = 'sentence_embedding';

/**
 * Vectors of some sequences, in one pass.
 *
 * - A network with `sentence_embedding` pools by itself; controls weigh in it where it takes the weight of each position.
 * - Of any other the last states are averaged, the special ids' too, and brought to length 1, as sentence-transformers do
 *   with models that come without a pooling of their own.
 *
 * @param sequences  of any lengths where the network takes padding, else of one
 */
export async function vectorsOf(
  sequences: readonly WeighedSequence[],
  network: Network,
  mode: Perturbation['mode'],
): Promise<Float32Array[]> {
  const padded = paddedRun(sequences, mode);
  const { outputs } = network.shape;
  if (outputs.includes(SENTENCE)) return rowsOf(await fetched(network, padded, SENTENCE), sequences.length);
  const states = STATES.find((name) => outputs.includes(name));
  const means =
    states === undefined ? await meansInside(network, padded) : meansOf(await fetched(network, padded, states), padded);
  return means.map(normalized);
}

function paddedRun(sequences: readonly WeighedSequence[], mode: Perturbation['mode']): Padded {
  const batch = sequences.length;
  const tokens = Math.max(...sequences.map(({ ids }) => ids.length));
  const ids = new Int32Array(batch * tokens);
  const factors = new Float64Array(batch * tokens).fill(1);
  const weights = new Float32Array(batch * tokens);
  sequences.forEach((sequence, row) => {
    ids.set(sequence.ids, row * tokens);
    factors.set(sequence.factors, row * tokens);
    weights.set(sequence.weights, row * tokens);
  });
  const lengths = Int32Array.from(sequences, (sequence) => sequence.ids.length);
  const [alone] = sequences;
  const run: NetworkRun = {
    ...{ batch, ids, tokenWeights: weights },
    ...(lengths.some((length) => length < tokens) && { lengths }),
    ...(batch === 1 &&
      alone &&
      alone.embeddingOverrides.length > 0 && { embeddingOverrides: alone.embeddingOverrides }),
    ...(factors.some((factor) => factor !== 1) && { perturbation: { mode, factors } }),
  };
  return { run, tokens, weights };
}

async function fetched(network: Network, { run }: Padded, name: string): Promise<Float32Array> {
  const { outputs } = await network.run({ ...run, outputs: [name] });
  const output = outputs?.[name];
  if (!output) throw new RangeError('the network did not answer what was asked for');
  return output.values;
}

/** Means of the last block's states, taken in the graph. */
async function meansInside(network: Network, { run, tokens, weights }: Padded): Promise<Float32Array[]> {
  const { layers, width } = network.shape;
  const shares = weights.slice();
  for (let row = 0; row < run.batch; row++) divideBySum(shares.subarray(row * tokens, (row + 1) * tokens));
  const { pooled } = await network.run({ ...run, pooling: { weights: shares, pools: 1, perSequence: true } });
  if (!pooled) throw new RangeError('the network did not answer what was asked for');
  return rowsOf(pooled, run.batch).map((layersOfOne) => layersOfOne.slice(layers * width));
}

function divideBySum(weights: Float32Array): void {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  weights.forEach((weight, position) => (weights[position] = weight / sum));
}

/** Means of states, `[batch, tokens, width]`. */
function meansOf(states: Float32Array, { run, tokens, weights }: Padded): Float32Array[] {
  const width = states.length / (run.batch * tokens);
  return Array.from({ length: run.batch }, (_, row) => {
    const sum = new Float64Array(width);
    let total = 0;
    for (let position = row * tokens; position < (row + 1) * tokens; position++) {
      const weight = weights[position] ?? 0;
      total += weight;
      for (let k = 0; k < width && weight > 0; k++)
        sum[k] = (sum[k] ?? 0) + weight * (states[position * width + k] ?? 0);
    }
    return Float32Array.from(sum, (entry) => entry / total);
  });
}

/** Equal parts of a block, each with memory of its own, so that it can be moved. */
function rowsOf(block: Float32Array, batch: number): Float32Array[] {
  const length = block.length / batch;
  return Array.from({ length: batch }, (_, row) => block.slice(row * length, (row + 1) * length));
}
