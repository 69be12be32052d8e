import type { NetworkConfig } from '../analysis/network-inputs.ts';
import { type createPassTimer, type Guard, releaseOnError } from '../device/guard.ts';
import { hasInput, type NetworkPlan } from '../rewrite/plan-network.ts';
import { concatenated } from '../../kernels/float-arrays.ts';
import {
  type Backend,
  eachPosition,
  isPerSequence,
  type KvCache,
  type NamedOutput,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  type NetworkShape,
  refuseUnchanged,
  tokensOf,
} from '../network.ts';
import { isPrediction, TENSORS } from '../tensor-names.ts';
import { embeddedRows, type EmbeddingTable } from './embedding-table.ts';
import { feedsOf, type KvCacheTensors } from './feeds.ts';
import {
  type Fetched,
  floatsOfOutput,
  type Ort,
  type RunQueue,
  runtimeQueue,
  type Session,
  type Tensor,
  valuesOf,
} from './session.ts';
import type { createPlainSteps } from './plain-steps.ts';

/** Blocks of an answer: name, graph output, and the part of a run that asks for it. */
const BLOCKS = [
  ['pooled', TENSORS.pooled, 'pooling'],
  ['maximum', TENSORS.maximum, 'maxima'],
  ['absoluteMaximum', TENSORS.absoluteMaximum, 'maxima'],
  ['logits', TENSORS.logits, 'logits'],
  ['logProbabilities', TENSORS.logProbabilities, 'targets'],
  ['likeliest', TENSORS.likeliest, 'likeliest'],
] as const;

type Blocks = Partial<Record<(typeof BLOCKS)[number][0], Float32Array>>;

interface Parts {
  readonly ort: Ort;
  readonly session: Session;
  /** Of a network that is fed embeddings. */
  readonly table: EmbeddingTable | undefined;
  /** The file as it was exported, for steps that need nothing of the rewrite; undefined: the rewritten graph takes all. */
  readonly plainSteps: ReturnType<typeof createPlainSteps>;
  readonly guard: Guard;
  readonly timer: ReturnType<typeof createPassTimer>;
  /** Decides when a pass starts. */
  readonly queue: RunQueue;
}

/**
 * A network over its sessions: stores the KV caches of finished runs, and turns tensors into answers.
 *
 * @throws the error of its first pass; the sessions are released then
 */
export async function createNetwork(
  plan: NetworkPlan,
  parts: Parts,
  backend: Backend,
  config: NetworkConfig,
): Promise<Network> {
  const execute = createExecutor(plan, parts);
  const shape = await releaseOnError(
    () => release(parts),
    () => probeShape(plan, execute, config),
  );
  const kvTensors = new WeakMap<KvCache, KvCacheTensors>();
  const steeredBy = new WeakMap<KvCache, NetworkRun['steering']>();
  const tensorsOf = (run: NetworkRun): KvCacheTensors | undefined => {
    if (run.cached === undefined) return undefined;
    const tensors = kvTensors.get(run.cached.kvCache);
    if (tensors === undefined) throw new RangeError('the KV cache was released or belongs to another network');
    if (steeredBy.get(run.cached.kvCache) !== run.steering)
      throw new RangeError('the KV cache was made with another steering');
    return tensors;
  };
  const keepKvCache = (fetched: Fetched, run: NetworkRun): KvCache => {
    const tensors = new Map(plan.kvCache.map(({ output }) => [output, tensorOf(fetched, output)]));
    const kvCache: KvCache = {
      batch: run.batch,
      tokens: (run.cached?.tokens ?? 0) + tokensOf(run),
      release: () => {
        kvTensors.delete(kvCache);
        for (const tensor of tensors.values()) tensor.dispose();
      },
    };
    kvTensors.set(kvCache, tensors);
    steeredBy.set(kvCache, run.steering);
    return kvCache;
  };
  const pass = async (run: NetworkRun): Promise<NetworkAnswer> => {
    const fetched = await execute(run, fetchesOf(plan, run), tensorsOf(run));
    const answer = await answerOf(fetched, run);
    return run.keepKvCache ? { ...answer, kvCache: keepKvCache(fetched, run) } : answer;
  };
  return {
    shape,
    backend,
    run: plan.runsAlone ? onePerPass(pass) : pass,
    /** Pieces are no longer than the context. */
    async embeddings(ids) {
      const { table } = parts;
      if (table) return runtimeQueue(() => table.rowsOf(ids));
      refuseUnchanged(plan, 'contextual control');
      const pieces: Float32Array[] = [];
      for (let start = 0; start < ids.length; start += shape.contextTokens)
        pieces.push(await embeddedIn(plan, execute, ids.subarray(start, start + shape.contextTokens)));
      return concatenated(pieces);
    },
    release: () => runtimeQueue(() => release(parts)),
  };
}

function tensorOf(fetched: Fetched, name: string): Tensor {
  const tensor = fetched[name];
  if (tensor === undefined) throw new TypeError(`output ${name} is missing`);
  return tensor;
}

/** Computes the layers after the look-up too: a second session for the table alone would hold it twice. */
async function embeddedIn(plan: NetworkPlan, execute: Execute, ids: Int32Array): Promise<Float32Array> {
  if (plan.hasWordEmbeddings)
    return valuesOf(await execute({ batch: 1, ids }, [TENSORS.wordEmbeddings]), TENSORS.wordEmbeddings);
  const pooled = await valuesOf(
    await execute({ batch: 1, ids, pooling: eachPosition(ids.length) }, [TENSORS.pooled]),
    TENSORS.pooled,
  );
  return pooled.subarray(0, pooled.length / (plan.layers + 1));
}

/**
 * Graph outputs that a run needs. Nothing else is copied from the device.
 *
 * @throws {RangeError} without a head, or without an output of that name
 * @throws {FailureError} MISSING_CAPABILITY for controls or states of a network that was left as it is
 */
function fetchesOf(plan: NetworkPlan, run: NetworkRun): string[] {
  if (run.perturbation) refuseUnchanged(plan, 'attention controls');
  if (run.pooling || run.maxima) refuseUnchanged(plan, 'hidden states');
  const wantsHead = run.logits || run.targets || run.likeliest;
  if (wantsHead && !plan.hasHead) throw new RangeError('logits asked of a network without a language-model head');
  if (run.attention && !plan.showsAttention) throw new RangeError('attention asked of a network that does not show it');
  if (run.steering && !plan.takesSteering) throw new RangeError('steering asked of a network that cannot be steered');
  if (run.states && !plan.readsGivenStates) throw new RangeError('states given to a network that reads none');
  const unknown = run.outputs?.find((name) => !plan.outputs.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`output "${unknown}" asked of a network with ${plan.outputs.join(', ') || 'none'}`);
  return [
    ...BLOCKS.flatMap(([, output, wanted]) => (run[wanted] ? [output] : [])),
    ...(run.attention ? [TENSORS.attended, TENSORS.attendedLast] : []),
    ...(run.outputs ?? []),
    ...(run.keepKvCache ? plan.kvCache.map((cached) => cached.output) : []),
  ];
}

/** What a run returns, except for the KV cache. */
async function answerOf(fetched: Fetched, run: NetworkRun): Promise<NetworkAnswer> {
  const blocks: Blocks = {};
  for (const [name, output, wanted] of BLOCKS) if (run[wanted]) blocks[name] = await valuesOf(fetched, output);
  const outputs: Record<string, NamedOutput> = {};
  for (const name of run.outputs ?? [])
    outputs[name] = {
      dimensions: fetched[name]?.dims ?? [],
      values: floatsOfOutput(name, await fetched[name]?.getData(true)),
    };
  return {
    ...blocks,
    ...(run.attention && {
      attention: {
        earlier: await valuesOf(fetched, TENSORS.attended),
        last: await valuesOf(fetched, TENSORS.attendedLast),
      },
    }),
    ...(run.outputs && { outputs }),
  };
}

/**
 * Runs the sequences of a batch each in a pass of its own, and joins the answers: for networks whose numbers depend on
 * everything in the pass.
 *
 * @returns a run; @throws {RangeError} for a KV cache or padding, which such a network does not take
 */
export function onePerPass(run: Network['run']): Network['run'] {
  return async (batch) => {
    if (batch.cached || batch.keepKvCache || batch.lengths || batch.states)
      throw new RangeError('a network whose sequences run alone takes no KV cache, padding or states');
    const answers: NetworkAnswer[] = [];
    for (let index = 0; index < batch.batch; index++) answers.push(await run(sequenceOf(batch, index)));
    return joinedAnswers(answers);
  };
}

/** One sequence of a batch, as a batch of one. */
function sequenceOf(run: NetworkRun, index: number): NetworkRun {
  const { ids, segments, tokenWeights, perturbation, pooling } = run;
  const tokens = tokensOf(run);
  const part = <Values extends { slice(begin: number, end: number): Values }>(values: Values, length: number): Values =>
    values.slice(index * length, (index + 1) * length);
  const perRun = (values: Int32Array) => (run.sameIds ? values : part(values, tokens));
  const weights =
    pooling && isPerSequence(pooling, tokens) ? part(pooling.weights, pooling.pools * tokens) : pooling?.weights;
  return {
    ...run,
    batch: 1,
    ids: perRun(ids),
    ...(segments && { segments: perRun(segments) }),
    ...(tokenWeights && { tokenWeights: part(tokenWeights, tokens) }),
    ...(perturbation && { perturbation: { ...perturbation, factors: part(perturbation.factors, tokens) } }),
    ...(pooling && weights && { pooling: { ...pooling, weights } }),
  };
}

function joinedAnswers(answers: readonly NetworkAnswer[]): NetworkAnswer {
  const [first] = answers;
  const blocks: Blocks = {};
  for (const [name] of BLOCKS)
    if (first?.[name]) blocks[name] = concatenated(answers.flatMap((answer) => answer[name] ?? []));
  const outputs = first?.outputs && Object.keys(first.outputs).map((name) => [name, joinedOutput(answers, name)]);
  return { ...blocks, ...(outputs && { outputs: Object.fromEntries(outputs) }) };
}

function joinedOutput(answers: readonly NetworkAnswer[], name: string): NamedOutput {
  const parts = answers.flatMap(({ outputs }) => outputs?.[name] ?? []);
  const [, ...rest] = parts[0]?.dimensions ?? [];
  return { dimensions: [parts.length, ...rest], values: concatenated(parts.map(({ values }) => values)) };
}

/** One pass through the session; returns exactly the tensors named. */
type Execute = (run: NetworkRun, fetches: readonly string[], kvTensors?: KvCacheTensors) => Promise<Fetched>;

async function release({ session, table, plainSteps }: Parts): Promise<void> {
  await session.release();
  await plainSteps?.release();
  await table?.release();
}

/** Which parts of the graph lead to the tensors named. Keys, values and word embeddings come from outside both. */
function needsOf({ kvCache }: NetworkPlan, fetches: readonly string[]) {
  const isOutside = (name: string) => name === TENSORS.wordEmbeddings || kvCache.some(({ output }) => output === name);
  return {
    needsLogits: fetches.some(isPrediction),
    needsStates: fetches.some((name) => !isPrediction(name) && !isOutside(name)),
  };
}

/**
 * Looks the run's embeddings up where the network is fed them, and runs the session, one pass at a time. Before a pass it
 * tells the thread's heartbeats how long that should take, by the passes before it.
 */
function createExecutor(plan: NetworkPlan, parts: Parts): Execute {
  const { ort, session, table, plainSteps, guard, timer, queue } = parts;
  /** The table is a session of this thread, wherever the network runs. */
  const inThread: RunQueue = queue === runtimeQueue ? (task) => task() : runtimeQueue;
  const rewritten: Execute = async (run, fetches, kvTensors) => {
    const embedded = table && (await inThread(() => guard(() => embeddedRows(table, run))));
    const feeds = feedsOf(ort, plan, run, { kvTensors, ...needsOf(plan, fetches), embedded });
    return guard(() => session.run(feeds, fetches, { signal: run.signal }));
  };
  const pass: Execute = (run, fetches, kvTensors) => {
    const throughRewritten = () => rewritten(run, fetches, kvTensors);
    return plainSteps ? plainSteps.take({ run, fetches, kvTensors, rewritten: throughRewritten }) : throughRewritten();
  };
  return (run, fetches, kvTensors) =>
    queue(async () => {
      run.signal?.throwIfAborted();
      if (run.embeddingOverrides?.length && !table)
        throw new RangeError('embedding overrides: expected a network with inputs embeds, got one with token ids');
      const tokens = tokensOf(run);
      const work = run.batch * tokens * (POSITION + tokens + (run.cached?.tokens ?? 0));
      return timer.run(work, () => pass(run, fetches, kvTensors));
    });
}

/** A position takes as much work as attending to this number of others. */
const POSITION = 512;

/** Context of networks whose own is not known. */
const UNKNOWN_CONTEXT_TOKENS = 512;

/** Width and vocabulary are those of results: graphs need not name them. */
async function probeShape(plan: NetworkPlan, execute: Execute, config: NetworkConfig): Promise<NetworkShape> {
  const fetches = [...(plan.keptBecause ? plan.outputs : [TENSORS.pooled]), ...(plan.hasHead ? [TENSORS.logits] : [])];
  const fetched = await execute({ batch: 1, ids: Int32Array.of(0, 1) }, fetches);
  const { contextTokens: configured, paddingId = 0 } = config;
  // The shorter one: reading past a table is an error, or silently wrong.
  const contextTokens = Math.min(
    plan.tabledPositions ?? Infinity,
    configured ?? plan.tabledPositions ?? UNKNOWN_CONTEXT_TOKENS,
  );
  return {
    layers: plan.layers,
    width: fetched[TENSORS.pooled]?.dims[3] ?? 0,
    vocabulary: fetched[TENSORS.logits]?.dims[2] ?? 0,
    contextTokens,
    showsLayers: plan.readsGivenStates,
    takesSteering: plan.takesSteering,
    sharesKvCache: plan.kvCache.length > 0 && !plan.runsAlone,
    outputs: plan.outputs,
    ...(plan.keptBecause !== undefined && { keptBecause: plan.keptBecause }),
    takesPadding: hasInput(plan, 'mask') && !plan.runsAlone,
    takesPositions: hasInput(plan, 'positions') && !plan.keptBecause && !plan.runsAlone,
    showsAttention: plan.showsAttention,
    paddingId: plan.paddingId ?? paddingId,
  };
}
