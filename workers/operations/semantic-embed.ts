import { FailureError } from '../../src/contract/failure.ts';
import type { Jobs } from '../../src/protocol/jobs.ts';
import type { JobPrompt } from '../../src/protocol/model-job.ts';
import type { LoadedModel } from '../engine/engine.ts';
import {
  type EmbeddingOverride,
  type Network,
  type NetworkRun,
  type Perturbation,
  requested,
  tokensOf,
} from '../engine/network.ts';
import { concatenated } from '../kernels/float-arrays.ts';
import {
  denseLayer,
  largestStates,
  meanWeights,
  normalized,
  sentenceShares,
  summedStates,
} from '../kernels/pooling.ts';
import type { TaskContext } from '../serving/serve.ts';
import { halvedOnOutOfMemory } from '../engine/device/guard.ts';
import { paddedBatches, paddedRows, paddedRun, sequenceControls, sequenceOf } from './prompt/sequence.ts';

type SemanticEmbedJob = Jobs['semanticEmbed']['input'];
type SentenceModules = NonNullable<LoadedModel['sentenceModules']>;
type SentencePooling = SentenceModules['poolings'][number];

/**
 * One vector for each prompt: the network's own `sentence_embedding`, else its last states pooled by the folder's modules.
 *
 * @throws {FailureError} INVALID_REQUEST for more dimensions than the model has, and what `sequenceOf` throws, with the
 *   prompt's number in the path
 * @source interface.md, POST /batch_semantic_embed
 */
export async function semanticEmbed(
  job: SemanticEmbedJob,
  model: LoadedModel,
  context: TaskContext,
): Promise<Jobs['semanticEmbed']['output']> {
  const sequences: WeighedSequence[] = [];
  for (const prompt of job.prompts) {
    sequences.push(await weighedSequence(prompt, job, model));
    await context.checkpoint();
  }
  const vectors: Float32Array[] = sequences.map(() => new Float32Array(0));
  let done = 0;
  for (const batch of batchesOf(sequences, model)) {
    await context.checkpoint();
    const members = batch.map((index) => sequences[index]).filter((sequence) => sequence !== undefined);
    const found = await halvedOnOutOfMemory(members, (part) => vectorsOf(part, model, job.representation));
    batch.forEach((index, i) => (vectors[index] = finished(found[i] ?? new Float32Array(0), job)));
    done += batch.length;
    context.progress({ phase: 'run', done, total: sequences.length });
  }
  return { vectors, num_tokens_prompt_total: sequences.reduce((sum, { counted }) => sum + counted, 0) };
}

/** Cosines of a query with documents. @throws {FailureError} as `semanticEmbed` */
export async function rerank(
  { query, documents, ...job }: Jobs['rerank']['input'],
  model: LoadedModel,
  context: TaskContext,
): Promise<Jobs['rerank']['output']> {
  const vectorsFor = (prompts: readonly JobPrompt[], representation: 'query' | 'document') =>
    semanticEmbed({ ...job, prompts, representation, normalize: true, control_log_additive: true }, model, context);
  const asked = await vectorsFor([query], 'query');
  const found = await vectorsFor(documents, 'document');
  const [own = new Float32Array(0)] = asked.vectors;
  return {
    cosines: found.vectors.map((vector) => vector.reduce((sum, x, i) => sum + x * (own[i] ?? 0), 0)),
    tokens: asked.num_tokens_prompt_total + found.num_tokens_prompt_total,
  };
}

/** A pass has its pictures at the same position in every sequence, so that a prompt with one runs alone. */
function batchesOf(sequences: readonly WeighedSequence[], { network }: LoadedModel): number[][] {
  const all = sequences.map(({ ids, embeddingOverrides }, index) => ({
    index,
    length: ids.length,
    hasPicture: embeddingOverrides.length > 0,
  }));
  const texts = all.filter(({ hasPicture }) => !hasPicture);
  const lengths = texts.map(({ length }) => length);
  const batches = paddedBatches(lengths, network).map((batch) => batch.map((i) => texts[i]?.index ?? i));
  return [...batches, ...all.filter(({ hasPicture }) => hasPicture).map(({ index }) => [index])];
}

/** Cuts a vector to the requested size; it has length 1 again only where the job normalises. */
function finished(vector: Float32Array, { cut = null, normalize }: SemanticEmbedJob): Float32Array {
  if (cut !== null && cut.size > vector.length)
    throw new FailureError(
      'INVALID_REQUEST',
      `${cut.path}: expected at most the ${vector.length} dimensions of the model, got ${cut.size}`,
    );
  const kept = cut === null ? vector : vector.slice(0, cut.size);
  return normalize ? normalized(kept) : kept;
}

interface WeighedSequence {
  readonly ids: readonly number[];
  readonly embeddingOverrides: readonly EmbeddingOverride[];
  /** Factors on the attention paid to each position, `[ids]`; `mode` is the formula that they enter by. */
  readonly factors: Float64Array;
  readonly mode: Perturbation['mode'];
  /** Weight of each position when states are pooled, `[ids]`, see `meanWeights`. */
  readonly weights: Float32Array;
  /** Positions of the special ids and the instruction before the prompt; 0 without an instruction. */
  readonly instructed: number;
  /** Tokens of the prompt itself. */
  readonly counted: number;
}

/** Names of the text for a representation in `prompts`, in the order of preference. */
const PROMPT_NAMES: Readonly<Record<SemanticEmbedJob['representation'], readonly string[]>> = {
  symmetric: ['symmetric', 'STS', 'text-matching'],
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
};

/**
 * The text that a model expects before prompts of a representation: from `prompts` of its `config_sentence_transformers.json`, by
 * the representation's name, else by the default there; '' for none.
 *
 * @source sentence-transformers 5, `encode_query`, `encode_document` and `prompts`
 */
function promptText(sentenceConfig: object | undefined, representation: SemanticEmbedJob['representation']): string {
  const { prompts, default_prompt_name: fallback } = { ...Object(sentenceConfig) };
  if (typeof prompts !== 'object' || prompts === null) return '';
  const names = [...PROMPT_NAMES[representation], ...(typeof fallback === 'string' ? [fallback] : [])];
  const texts = names.map((name): unknown => (Object.hasOwn(prompts, name) ? Reflect.get(prompts, name) : undefined));
  return texts.find((text) => typeof text === 'string') ?? '';
}

/**
 * A prompt's ids in their frame: special ids and the text of the representation. Its controls act on attention and on the pooling
 * as in `/embed`.
 *
 * @throws {FailureError} as `sequenceOf`
 * @source contract facts §1.3; §1.4: ids of the frame are not counted
 */
async function weighedSequence(
  prompt: SemanticEmbedJob['prompts'][number],
  controls: SemanticEmbedJob,
  model: LoadedModel,
): Promise<WeighedSequence> {
  const { prefix: before, suffix: after } = model.tokenizer;
  const instruction = controls.instruction ?? promptText(model.sentenceConfig, controls.representation);
  const sequence = await sequenceOf(prompt, model, { before, instruction, after });
  const { ids, embeddingOverrides, specials } = sequence;
  // Without controls there is nothing to spread, and similarities need not be computed.
  const spreading = sequence.controls.length > 0 ? controls : { ...controls, contextual_control_threshold: null };
  const { mode, factors } = await sequenceControls(sequence, spreading, model);
  const end = ids.length - after.length;
  const weights = meanWeights(factors.subarray(specials, end), specials, after.length);
  const instructed = specials > before.length ? specials : 0;
  return { ids, embeddingOverrides, mode, factors, weights, instructed, counted: end - specials };
}

/** Outputs with the last layer's states after the final norm, `[batch, tokens, width]`. */
export const LAST_STATES = ['last_hidden_state', 'token_embeddings'];
const SENTENCE = 'sentence_embedding';

/** The modules of a folder without `modules.json`. */
const MEAN: SentenceModules = {
  poolings: [{ modes: ['mean'], countsPrompt: true, output: SENTENCE }],
  steps: ['normalize'],
};

/**
 * Vectors of some sequences, in one pass.
 *
 * - A network with `sentence_embedding` pools by itself; controls count where it takes the weight of each position.
 * - The states of any other are pooled by `modules.json`. Without that file they are averaged, those of special ids too,
 *   and the mean is scaled to length 1.
 *
 * @param sequences  of any lengths where the network takes padding, else of one
 */
async function vectorsOf(
  sequences: readonly WeighedSequence[],
  { network, sentenceModules = MEAN }: LoadedModel,
  representation: SemanticEmbedJob['representation'],
): Promise<Float32Array[]> {
  const run = runOf(sequences, network.shape.paddingId);
  const { outputs } = network.shape;
  const pooling = poolingFor(sentenceModules, representation);
  if (outputs.includes(SENTENCE) && pooling.output === SENTENCE)
    return rowsOf(await fetched(network, run, SENTENCE), sequences.length);
  const states = LAST_STATES.find((name) => outputs.includes(name));
  const pooled =
    states === undefined
      ? await pooledInside(network, run, sequences, pooling)
      : pooledOutside(await fetched(network, run, states), run, sequences, pooling);
  return pooled.map((vector) =>
    sentenceModules.steps.reduce<Float32Array>(
      (input, step) =>
        step === 'normalize' ? normalized(input) : denseLayer(input, step.weights, step.bias, step.activation),
      vector,
    ),
  );
}

/** A folder with two poolings has one for queries. */
function poolingFor(
  { poolings }: SentenceModules,
  representation: SemanticEmbedJob['representation'],
): SentencePooling {
  const wanted = representation === 'query' ? 'query_embedding' : SENTENCE;
  const found = poolings.find(({ output }) => output === wanted) ?? poolings.at(-1);
  if (found === undefined) throw new RangeError('expected at least one pooling, got none');
  return found;
}

function runOf(sequences: readonly WeighedSequence[], paddingId: number): NetworkRun {
  const [{ mode, embeddingOverrides } = { mode: 'additive' as const, embeddingOverrides: [] }] = sequences;
  const run = paddedRun(sequences, mode, paddingId);
  const tokenWeights = paddedRows(
    sequences.map(({ weights }) => weights),
    new Float32Array(run.ids.length),
  );
  const hasPicture = sequences.length === 1 && embeddingOverrides.length > 0;
  return { ...run, tokenWeights, ...(hasPicture && { embeddingOverrides }) };
}

async function fetched(network: Network, run: NetworkRun, name: string): Promise<Float32Array> {
  const { outputs } = await network.run({ ...run, outputs: [name] });
  return requested(outputs?.[name]).values;
}

/** Weights of a sequence's positions; those of the instruction are 0 where the pooling leaves it out. */
function weightsFor({ weights, instructed }: WeighedSequence, { countsPrompt }: SentencePooling): Float32Array {
  return countsPrompt ? weights : weights.slice().fill(0, 0, instructed);
}

/** The last block's states, pooled in the graph. */
async function pooledInside(
  network: Network,
  run: NetworkRun,
  sequences: readonly WeighedSequence[],
  pooling: SentencePooling,
): Promise<Float32Array[]> {
  const tokens = tokensOf(run);
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
      weights.set(sentenceShares(mode, weightsFor(sequence, pooling)), (row * pools + pool) * tokens);
    }),
  );
  const { pooled } = await network.run({ ...run, pooling: { weights, pools } });
  return rowsOf(requested(pooled), run.batch).map((layersOfOne) => layersOfOne.slice(layers * pools * width));
}

/** @param states  `[batch, tokens, width]` */
function pooledOutside(
  states: Float32Array,
  run: NetworkRun,
  sequences: readonly WeighedSequence[],
  pooling: SentencePooling,
): Float32Array[] {
  const tokens = tokensOf(run);
  const width = states.length / (run.batch * tokens);
  return sequences.map((sequence, row) => {
    const begin = row * tokens * width;
    const rows = states.subarray(begin, begin + sequence.ids.length * width);
    const weights = weightsFor(sequence, pooling);
    const vectors = pooling.modes.map((mode) =>
      mode === 'max' ? largestStates(rows, weights) : summedStates(rows, sentenceShares(mode, weights)),
    );
    return concatenated(vectors);
  });
}

/** Equal parts of a block, each in its own memory, so that it can be transferred. */
function rowsOf(block: Float32Array, batch: number): Float32Array[] {
  const length = block.length / batch;
  return Array.from({ length: batch }, (_, row) => block.slice(row * length, (row + 1) * length));
}
