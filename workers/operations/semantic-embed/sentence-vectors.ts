import type { Representation } from '../../../src/contract/semantic-embed.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { SentenceModules, SentencePooling } from '../../engine/loading/sentence/sentence-modules.ts';
import type { Network, NetworkRun, Perturbation } from '../../engine/network.ts';
import { joined } from '../../kernels/float-arrays.ts';
import { normalized } from '../../kernels/pooling.ts';
import { denseLayer, largestStates, sentenceShares, summedStates } from '../../kernels/sentence-pooling.ts';
import type { WeighedSequence } from './represented.ts';

/** Sequences of a pass, padded to the longest. */
interface Padded {
  readonly run: NetworkRun;
  readonly tokens: number;
}

/** Outputs with the last layer's states behind the final norm, `[batch, tokens, width]`. */
const STATES = ['last_hidden_state', 'token_embeddings'];
const SENTENCE = 'sentence_embedding';

/** What is done with the states of a folder without `modules.json`. */
const MEAN: SentenceModules = {
  poolings: [{ modes: ['mean'], countsPrompt: true, output: SENTENCE }],
  steps: ['normalize'],
};

/** What vectors are made for. */
export interface VectorOptions {
  readonly mode: Perturbation['mode'];
  readonly representation: Representation;
}

/**
 * Vectors of some sequences, in one pass.
 *
 * - A network with `sentence_embedding` pools by itself; controls weigh in it where it takes the weight of each position.
 * - Of any other the states are pooled as `modules.json` says. Without that file they are averaged, the special ids' too,
 *   and the mean is brought to length 1.
 *
 * @param sequences  of any lengths where the network takes padding, else of one
 */
export async function vectorsOf(
  sequences: readonly WeighedSequence[],
  { network, sentenceModules = MEAN }: Pick<LoadedModel, 'network' | 'sentenceModules'>,
  { mode, representation }: VectorOptions,
): Promise<Float32Array[]> {
  const padded = paddedRun(sequences, mode, network.shape.paddingId);
  const { outputs } = network.shape;
  const pooling = poolingFor(sentenceModules, representation);
  if (outputs.includes(SENTENCE) && pooling.output === SENTENCE)
    return rowsOf(await fetched(network, padded, SENTENCE), sequences.length);
  const states = STATES.find((name) => outputs.includes(name));
  const pooled =
    states === undefined
      ? await pooledInside(network, padded, sequences, pooling)
      : pooledOutside(await fetched(network, padded, states), padded, sequences, pooling);
  return pooled.map((vector) => finished(vector, sentenceModules));
}

/** A folder with two poolings has one for queries. */
function poolingFor({ poolings }: SentenceModules, representation: Representation): SentencePooling {
  const wanted = representation === 'query' ? 'query_embedding' : SENTENCE;
  const found = poolings.find(({ output }) => output === wanted) ?? poolings.at(-1);
  if (found === undefined) throw new RangeError('expected at least one pooling, got none');
  return found;
}

function finished(vector: Float32Array, { steps }: SentenceModules): Float32Array {
  return steps.reduce<Float32Array>(
    (done, step) =>
      step === 'normalize' ? normalized(done) : denseLayer(done, step.weights, step.bias, step.activation),
    vector,
  );
}

function paddedRun(sequences: readonly WeighedSequence[], mode: Perturbation['mode'], paddingId: number): Padded {
  const batch = sequences.length;
  const tokens = Math.max(...sequences.map(({ ids }) => ids.length));
  const ids = new Int32Array(batch * tokens).fill(paddingId);
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
  return { run, tokens };
}

async function fetched(network: Network, { run }: Padded, name: string): Promise<Float32Array> {
  const { outputs } = await network.run({ ...run, outputs: [name] });
  const output = outputs?.[name];
  if (!output) throw new RangeError('the network did not answer what was asked for');
  return output.values;
}

/** Weights of a sequence's own positions; those of the instruction count for nothing where the folder says so. */
function ownWeights({ weights, instructed }: WeighedSequence, { countsPrompt }: SentencePooling): Float32Array {
  const own = weights.slice();
  return countsPrompt ? own : own.fill(0, 0, instructed);
}

/** The last block's states, pooled in the graph. */
async function pooledInside(
  network: Network,
  { run, tokens }: Padded,
  sequences: readonly WeighedSequence[],
  pooling: SentencePooling,
): Promise<Float32Array[]> {
  const { layers, width } = network.shape;
  const pools = pooling.modes.length;
  const weights = new Float32Array(run.batch * pools * tokens);
  sequences.forEach((sequence, row) =>
    pooling.modes.forEach((mode, pool) => {
      if (mode === 'max')
        throw new FailureError(
          'MODEL_UNAVAILABLE',
          '1_Pooling/config.json: pooling_mode_max_tokens takes a network with the output last_hidden_state, got one without',
        );
      weights.set(sentenceShares(mode, ownWeights(sequence, pooling)), (row * pools + pool) * tokens);
    }),
  );
  const { pooled } = await network.run({ ...run, pooling: { weights, pools, perSequence: true } });
  if (!pooled) throw new RangeError('the network did not answer what was asked for');
  return rowsOf(pooled, run.batch).map((layersOfOne) => layersOfOne.slice(layers * pools * width));
}

/** @param states  `[batch, tokens, width]` */
function pooledOutside(
  states: Float32Array,
  { run, tokens }: Padded,
  sequences: readonly WeighedSequence[],
  pooling: SentencePooling,
): Float32Array[] {
  const width = states.length / (run.batch * tokens);
  return sequences.map((sequence, row) => {
    const begin = row * tokens * width;
    const own = states.subarray(begin, begin + sequence.ids.length * width);
    const weights = ownWeights(sequence, pooling);
    const vectors = pooling.modes.map((mode) =>
      mode === 'max' ? largestStates(own, weights) : summedStates(own, sentenceShares(mode, weights)),
    );
    return joined(vectors);
  });
}

/** Equal parts of a block, each with memory of its own, so that it can be moved. */
function rowsOf(block: Float32Array, batch: number): Float32Array[] {
  const length = block.length / batch;
  return Array.from({ length: batch }, (_, row) => block.slice(row * length, (row + 1) * length));
}
