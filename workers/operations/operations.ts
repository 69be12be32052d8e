import { HEARTBEAT_MS, isOutOfMemory, refusedIfEndless, whileBeating } from '../engine/device/guard.ts';
import type { Pooling } from '../../src/contract/embed.ts';
import { FailureError } from '../../src/contract/failure.ts';
import type { DocumentsKind, JobKind, Jobs } from '../../src/protocol/jobs.ts';
import type { PrepareJob } from '../../src/protocol/model-job.ts';
import type { createEngine, LoadedModel } from '../engine/engine.ts';
import { type Network, type NetworkRun, requested } from '../engine/network.ts';
import { largestStates, normalized, poolingWeights, relative, summedStates } from '../kernels/pooling.ts';
import type { TaskContext } from '../serving/serve.ts';
import { explain } from './explain/explain.ts';
import { evaluate, predict } from './predict.ts';
import { checkIds, IMAGE_TOKEN, type Sequence, sequenceControls, sequenceOf } from './prompt/sequence.ts';
import { LAST_STATES, rerank, semanticEmbed } from './semantic-embed.ts';

/** A function for each kind of job. */
export type Operations<Kind extends JobKind> = {
  readonly [K in Kind]: (input: Jobs[K]['input'], context: TaskContext) => Promise<Jobs[K]['output']>;
};

type Operation<Job, Output> = (job: Job, model: LoadedModel, context: TaskContext) => Promise<Output>;

/** Creates the operations on the models of an engine. */
export function createOperations({
  withModel,
  unload,
  memoryBudget,
}: ReturnType<typeof createEngine>): Operations<Exclude<JobKind, DocumentsKind>> {
  const forModel = onModels(withModel);
  const concept = forModel(later(async () => (await import('./steering/concept.ts')).steeringConcept));
  return {
    prepare: atUpstream(
      async (upstream, _, context) => (await import('./explain/ablation/upstream.ts')).prepareAt(upstream, context),
      (job, context) => withModel(job, context.progress, reportOf, context.signal),
    ),
    unload: async ({ folder }) => {
      await unload(folder);
      return null;
    },
    inspect: async (job) => {
      const { inspect } = await import('../engine/loading/inspect-folder.ts');
      return refusedIfEndless('be inspected', () => whileBeating(() => inspect(job, memoryBudget), HEARTBEAT_MS)); // it may wait for a hub
    },
    embed: forModel(embed),
    explain: atUpstream(
      async (...parameters) => (await import('./explain/ablation/upstream.ts')).explainByAblationAt(...parameters),
      forModel(explain),
    ),
    evaluate: atUpstream(
      async (...parameters) => (await import('./explain/ablation/upstream.ts')).evaluateAt(...parameters),
      forModel(evaluate),
    ),
    complete: atUpstream(
      async (...parameters) => (await import('./complete/upstream.ts')).completeAt(...parameters),
      forModel(later(async () => (await import('./complete/complete.ts')).complete)),
    ),
    predict: forModel(predict),
    lens: forModel(later(async () => (await import('./lens.ts')).lens)),
    semanticEmbed: forModel(semanticEmbed),
    qa: forModel(later(async () => (await import('./qa.ts')).qa)),
    rerank: forModel(rerank),
    steeringConcept: atUpstream(
      async ({ address }) => (await import('./steering/steered.ts')).refuseSteering(`its states are at ${address}`),
      (job, context) => concept({ ...job, steering: [] }, context), // on the network that its vector will steer
    ),
    tokenize: forModel(async ({ prompt }, { tokenizer }) => {
      const { ids } = tokenizer.tokenize(prompt);
      return { ids, tokens: ids.map(tokenizer.piece) };
    }),
    detokenize: forModel(async ({ ids }, { tokenizer }) => {
      checkIds(ids, tokenizer.vocabulary, 'token_ids');
      return { text: tokenizer.read(ids).text };
    }),
  };
}

/** What runs a model, and why. */
async function reportOf({ network }: LoadedModel): Promise<Jobs['prepare']['output']> {
  const { kind, threads, reason } = network.backend;
  return { backend: kind, threads, reason };
}

/** Gives an operation its model, steered where the job is. */
function onModels(withModel: ReturnType<typeof createEngine>['withModel']) {
  return <Job extends PrepareJob, Output>(operation: Operation<Job, Output>) =>
    async (job: Job, context: TaskContext): Promise<Output> => {
      const steering = job.steering && (await import('./steering/steered.ts')); // loaded with the first steered job
      steering?.checkSteering(job);
      const { signal } = context;
      const task = (loaded: LoadedModel) => {
        const plain = withSignal(loaded, signal);
        const model = steering?.steeredBy(job, plain) ?? plain;
        return explainingOutOfMemory(model, () => operation(steering?.withoutMargins(job) ?? job, model, context));
      };
      return withModel(job, context.progress, task, signal);
    };
}

/** An operation that a server elsewhere takes part in where the job names one; nothing is loaded into the page then. */
function atUpstream<Job extends PrepareJob, Output>(
  there: (upstream: NonNullable<Job['upstream']>, job: Job, context: TaskContext) => Promise<Output>,
  here: (job: Job, context: TaskContext) => Promise<Output>,
) {
  return (job: Job, context: TaskContext): Promise<Output> =>
    job.upstream ? there(job.upstream, job, context) : here(job, context);
}

/** An operation whose code is loaded on first use, because most visits never use it. */
function later<Job, Output>(load: () => Promise<Operation<Job, Output>>): Operation<Job, Output> {
  return async (...parameters) => (await load())(...parameters);
}

/** A model whose passes on another machine end when the signal is aborted. */
function withSignal(model: LoadedModel, signal: AbortSignal): LoadedModel {
  const { network } = model;
  if (!network.inFlight) return model;
  return { ...model, network: { ...network, run: (run) => network.run({ ...run, signal: run.signal ?? signal }) } };
}

/** Tokens of the shortest sequence that is tried: without memory for it no pass can run. */
const MIN_TOKENS = 8;

/** Runs a job. @throws {FailureError} OUT_OF_MEMORY with the length of a prompt that would fit */
export async function explainingOutOfMemory<Value>(
  { network }: LoadedModel,
  job: () => Promise<Value>,
): Promise<Value> {
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
  for (let tokens = Math.floor(network.shape.contextTokens / 2); tokens >= MIN_TOKENS; tokens = Math.floor(tokens / 2))
    try {
      await network.run(probe(network, tokens));
      return tokens;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
  return 0;
}

/** The cheapest pass of this many tokens that has a result. */
function probe({ shape }: Network, tokens: number): NetworkRun {
  const run = { batch: 1, ids: new Int32Array(tokens) };
  const [output] = shape.outputs;
  if (shape.vocabulary > 0) return { ...run, logits: true };
  if (output !== undefined) return { ...run, outputs: [output] };
  const weights = new Float32Array(tokens).fill(1 / tokens);
  return { ...run, pooling: { weights, pools: 1 } };
}

/**
 * Pooled hidden states of a prompt, in one forward pass. A network that runs as it was exported has only those of its last layer,
 * after the final norm.
 *
 * @throws {FailureError} INVALID_REQUEST for a layer out of range, MISSING_CAPABILITY for one that the model does not show, and what `sequenceOf` throws
 */
export async function embed(job: EmbedJob, model: LoadedModel, context: TaskContext): Promise<Jobs['embed']['output']> {
  const layers = job.layers.map((layer, i) => resolvedLayer(layer, model.network.shape.layers, i));
  const sequence = await sequenceOf(job.prompt, model);
  await context.checkpoint();
  const { mode, factors } = await sequenceControls(sequence, job, model);
  const run: NetworkRun = {
    batch: 1,
    ids: Int32Array.from(sequence.ids),
    embeddingOverrides: sequence.embeddingOverrides,
    ...(factors.some((factor) => factor !== 1) && { perturbation: { mode, factors } }),
  };
  const read =
    model.network.shape.keptBecause === undefined
      ? await allLayers(job, model, { run, factors, sequence })
      : await lastLayer(model.network, run, { layers, skip: sequence.specials });
  const finish = job.normalize ? normalized : (vector: Float32Array) => vector;
  return {
    layers: layers.map((layer) => ({ layer, vectors: job.pooling.map((pooling) => finish(read(layer, pooling))) })),
    tokens: job.tokens ? shownTokens(sequence, model.tokenizer.show) : null,
    num_tokens_prompt_total: sequence.ids.length - sequence.specials,
  };
}

type EmbedJob = Jobs['embed']['input'];
type LinearPooling = Parameters<typeof poolingWeights>[0];

type ReadVector = (layer: number, pooling: Pooling) => Float32Array;

async function allLayers(
  job: EmbedJob,
  { network }: LoadedModel,
  { run, factors, sequence }: { run: NetworkRun; factors: Float64Array; sequence: Sequence },
): Promise<ReadVector> {
  const linear = job.pooling.filter(isLinear);
  const { pooled, maximum, absoluteMaximum } = await network.run({
    ...run,
    ...(linear.length > 0 && { pooling: poolingRows(linear, job.normalize ? relative(factors) : factors, sequence) }),
    ...(linear.length < job.pooling.length && { maxima: { skip: sequence.specials } }),
  });
  const { width } = network.shape;
  const row = (block: Float32Array | undefined, index: number) =>
    requested(block).slice(index * width, (index + 1) * width);
  return (layer, pooling) => {
    if (pooling === 'max') return row(maximum, layer);
    if (pooling === 'abs_max') return row(absoluteMaximum, layer);
    return row(pooled, layer * linear.length + linear.indexOf(pooling));
  };
}

function shownTokens({ items, ids }: Sequence, show: (id: number) => string): string[] {
  return items.flatMap(({ type, first, count }) =>
    type === 'image' ? new Array<string>(count).fill(IMAGE_TOKEN) : ids.slice(first, first + count).map(show),
  );
}

function resolvedLayer(layer: number, layers: number, index: number): number {
  const resolved = layer < 0 ? layers + 1 + layer : layer;
  if (resolved >= 0 && resolved <= layers) return resolved;
  throw new FailureError(
    'INVALID_REQUEST',
    `layers[${index}]: expected a layer from ${-layers - 1} to ${layers}, got ${layer}`,
  );
}

function isLinear(pooling: Pooling): pooling is LinearPooling {
  return pooling !== 'max' && pooling !== 'abs_max';
}

/** One row of weights for each linear pooling, `[poolings, tokens]`; special ids before the prompt have the weight 0. */
function poolingRows(poolings: readonly LinearPooling[], factors: Float64Array, { ids, specials }: Sequence) {
  const weights = new Float32Array(poolings.length * ids.length);
  poolings.forEach((pooling, row) => {
    weights.set(poolingWeights(pooling, factors.subarray(specials)), row * ids.length + specials);
  });
  return { weights, pools: poolings.length };
}

/**
 * The last states of a network without states of its own layers.
 *
 * @param run     without controls, which such a network refuses
 * @param layers  requested ones: only the last one exists
 * @param skip    special ids before the prompt, which are not pooled
 * @throws {FailureError} MISSING_CAPABILITY for another layer, for controls, or for a network without states
 */
export async function lastLayer(
  network: Network,
  run: NetworkRun,
  { layers, skip }: { layers: readonly number[]; skip: number },
): Promise<ReadVector> {
  const { outputs, keptBecause = '', layers: last } = network.shape;
  const other = layers.findIndex((layer) => layer !== last);
  if (other >= 0)
    throw new FailureError(
      'MISSING_CAPABILITY',
      `layers[${other}]: expected the last layer, -1, of a model that runs as it was exported, got ${layers[other]}: ${keptBecause}`,
    );
  const name = LAST_STATES.find((each) => outputs.includes(each));
  if (name === undefined)
    throw new FailureError(
      'MISSING_CAPABILITY',
      `model: expected one with the output ${LAST_STATES.join(' or ')}, got one with ${outputs.join(', ')}: ${keptBecause}`,
    );
  const answer = await network.run({ ...run, outputs: [name] });
  const states = requested(answer.outputs?.[name]).values;
  const tokens = run.ids.length;
  const pooled = states.subarray((skip * states.length) / tokens);
  return (_, pooling) => pooledStates(pooled, tokens - skip, pooling);
}

function pooledStates(states: Float32Array, tokens: number, pooling: Pooling): Float32Array {
  const ones = new Float32Array(tokens).fill(1);
  if (isLinear(pooling)) return summedStates(states, poolingWeights(pooling, ones));
  return largestStates(pooling === 'max' ? states : states.map(Math.abs), ones);
}
