import { FailureError } from '../../../src/contract/failure.ts';
import { answerOf, fetchesOf, refuseIfKept, valuesOf, type Fetched } from './answers.ts';
import { feedsOf, type RetainedTensors } from './feeds.ts';
import { LOGITS } from '../rewrite/logits-head.ts';
import { POOLED } from '../rewrite/pooled-outputs.ts';
import { planNetwork } from '../rewrite/plan-network.ts';
import { hasInput, isPrediction, WORD_EMBEDDINGS, type NetworkPlan } from '../rewrite/rewrite.ts';
import { guardOf, type Guard } from './device-guard.ts';
import { embeddedRows, openEmbeddingTable, type EmbeddingTable } from './embedding-table.ts';
import type { NetworkConfig } from '../loading/network-config.ts';
import { eachPosition, joined } from './blocks.ts';
import { tokensOf } from '../network.ts';
import type { Backend, Network, NetworkAnswer, NetworkRun, NetworkShape, Prefix } from '../network.ts';
import { runtimeQueue } from './run-queue.ts';
import type { InferenceSession, Ort, Tensor } from './runtime-types.ts';
import { createSession, type ModelFiles, type SessionDevice } from './session.ts';

/** What a network is opened from and where it runs. */
export interface OpenOptions {
  readonly ort: Ort;
  readonly files: ModelFiles;
  readonly config: NetworkConfig;
  readonly on: SessionDevice;
  readonly backend: Backend;
  /** Rewritten before, when the same file is opened on several backends. */
  readonly plan?: NetworkPlan;
}

/** Context of networks that do not say how long theirs is. */
const UNKNOWN_CONTEXT_TOKENS = 512;

/**
 * Rewrites a model file and opens it as a network.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the reason, when the graph cannot be rewritten or opened
 */
export async function openNetwork(options: OpenOptions): Promise<Network> {
  const { ort, files, config, on, backend } = options;
  const plan = options.plan ?? planNetwork(files.model, config);
  if (on.kind === 'webgpu' && plan.precision === 'float16' && !on.device.features.has('shader-f16'))
    throw new FailureError('MODEL_UNAVAILABLE', 'the network computes in 16-bit floats, which this GPU does not offer');
  const guard = guardOf(on);
  const table = await tableOf(ort, plan, files);
  const session = await runtimeQueue(() => guard(() => createSession(ort, plan, files, on))).catch(async (error) => {
    await table?.release();
    throw error;
  });
  const parts = { session, table };
  const execute = createExecutor(ort, plan, parts, guard);
  try {
    return assemble(plan, execute, { backend, shape: await probeShape(plan, execute, config) }, parts);
  } catch (error) {
    if (error instanceof FailureError) throw error; // of a lost device, whose session cannot be released either
    await release(parts);
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `ONNX Runtime cannot run the network on ${on.kind}: ${cause}`);
  }
}

/** One pass through the session; returns exactly the tensors named. */
type Execute = (run: NetworkRun, fetches: readonly string[], retained?: RetainedTensors) => Promise<Fetched>;

/** The sessions of a network. */
interface Parts {
  readonly session: InferenceSession;
  /** Of a network that is fed embeddings. */
  readonly table: EmbeddingTable | undefined;
}

async function release({ session, table }: Parts): Promise<void> {
  await session.release();
  await table?.release();
}

/** Which parts of the graph lead to the tensors named. Keys, values and word embeddings come from outside both. */
function needsOf({ cache }: NetworkPlan, fetches: readonly string[]) {
  const isOutside = (name: string) => name === WORD_EMBEDDINGS || cache.some(({ output }) => output === name);
  return {
    needsLogits: fetches.some(isPrediction),
    needsStates: fetches.some((name) => !isPrediction(name) && !isOutside(name)),
  };
}

async function tableOf(ort: Ort, plan: NetworkPlan, { embedTokens }: ModelFiles): Promise<EmbeddingTable | undefined> {
  if (!plan.inputs.some(({ role }) => role === 'embeddings')) return undefined;
  if (embedTokens) return runtimeQueue(() => openEmbeddingTable(ort, embedTokens));
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    'the network takes embeddings instead of token ids, and its folder has no onnx/embed_tokens file to look them up in',
  );
}

function createExecutor(ort: Ort, plan: NetworkPlan, { session, table }: Parts, guard: Guard): Execute {
  return (run, fetches, retained) =>
    runtimeQueue(async () => {
      if (run.placed?.length && !table) throw new RangeError('embeddings placed in a network that is fed token ids');
      const embedded = table && (await embeddedRows(table, run));
      const feeds = feedsOf(ort, plan, run, { retained, ...needsOf(plan, fetches), embedded });
      return guard(() => session.run(feeds, fetches));
    });
}

/** Width and vocabulary as they come out: graphs need not say them. */
async function probeShape(plan: NetworkPlan, execute: Execute, config: NetworkConfig): Promise<NetworkShape> {
  const run: NetworkRun = { batch: 1, ids: Int32Array.of(0, 1) };
  const fetched = await execute(run, [
    ...(plan.keptBecause ? plan.outputs : [POOLED]),
    ...(plan.hasHead ? [LOGITS] : []),
  ]);
  return {
    layers: plan.layers,
    width: fetched[POOLED]?.dims[3] ?? 0,
    vocabulary: fetched[LOGITS]?.dims[2] ?? 0,
    contextTokens: contextTokensOf(plan, config),
    sharesPrefix: plan.cache.length > 0,
    outputs: plan.outputs,
    takesPadding: hasInput(plan, 'mask'),
    takesTokenWeights: hasInput(plan, 'weights'),
  };
}

/** Where `config.json` and the graph's tables differ, the shorter: reading past a table is an error, or silently wrong. */
function contextTokensOf({ tabledPositions }: NetworkPlan, { contextTokens }: NetworkConfig): number {
  if (tabledPositions === undefined) return contextTokens ?? UNKNOWN_CONTEXT_TOKENS;
  return Math.min(tabledPositions, contextTokens ?? tabledPositions);
}

function assemble(
  plan: NetworkPlan,
  execute: Execute,
  { backend, shape }: Pick<Network, 'backend' | 'shape'>,
  parts: Parts,
): Network {
  const retained = new WeakMap<Prefix, RetainedTensors>();
  const tensorsOf = (run: NetworkRun): RetainedTensors | undefined => {
    if (run.prefix === undefined) return undefined;
    const tensors = retained.get(run.prefix.keep);
    if (tensors === undefined) throw new RangeError('the prefix was released or belongs to another network');
    return tensors;
  };
  const retain = (fetched: Fetched, run: NetworkRun): Prefix => {
    const tensors = new Map(plan.cache.map(({ output }) => [output, tensorOf(fetched, output)]));
    const prefix: Prefix = {
      batch: run.batch,
      tokens: (run.prefix?.tokens ?? 0) + tokensOf(run),
      release: () => {
        retained.delete(prefix);
        for (const tensor of tensors.values()) tensor.dispose();
      },
    };
    retained.set(prefix, tensors);
    return prefix;
  };
  const run = async (asked: NetworkRun): Promise<NetworkAnswer> => {
    const fetched = await execute(asked, fetchesOf(plan, asked), tensorsOf(asked));
    const answer = await answerOf(fetched, asked);
    return asked.retain ? { ...answer, present: retain(fetched, asked) } : answer;
  };
  return {
    shape,
    backend,
    run,
    embeddings: (ids) => embeddingsOf(plan, execute, ids, { shape, table: parts.table }),
    release: () => runtimeQueue(() => release(parts)),
  };
}

function tensorOf(fetched: Fetched, name: string): Tensor {
  const tensor = fetched[name];
  if (tensor === undefined) throw new TypeError(`output ${name} is missing`);
  return tensor;
}

/**
 * Looked-up rows, in pieces no longer than the context. Where the table lies inside the network, the layers behind the
 * look-up are computed too: a second session for the table alone would hold the table twice.
 */
async function embeddingsOf(
  plan: NetworkPlan,
  execute: Execute,
  ids: Int32Array,
  { shape: { contextTokens }, table }: { readonly shape: NetworkShape; readonly table: EmbeddingTable | undefined },
): Promise<Float32Array> {
  if (table) return runtimeQueue(() => table.rowsOf(ids));
  refuseIfKept(plan, 'contextual control');
  const pieces: Float32Array[] = [];
  for (let start = 0; start < ids.length; start += contextTokens)
    pieces.push(await rowsOf(plan, execute, ids.subarray(start, start + contextTokens)));
  return joined(pieces);
}

async function rowsOf(plan: NetworkPlan, execute: Execute, ids: Int32Array): Promise<Float32Array> {
  if (plan.hasWordEmbeddings) return valuesOf(await execute({ batch: 1, ids }, [WORD_EMBEDDINGS]), WORD_EMBEDDINGS);
  const pooled = await valuesOf(await execute({ batch: 1, ids, pooling: eachPosition(ids.length) }, [POOLED]), POOLED);
  return pooled.subarray(0, pooled.length / (plan.layers + 1));
}
