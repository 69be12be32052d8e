import { FailureError } from '../../../src/contract/failure.ts';
import type { NetworkConfig } from '../analysis/network-config.ts';
import { guardOf } from '../device/guard.ts';
import { orRelease } from '../device/or-release.ts';
import { createPace } from '../device/pulse.ts';
import type { Backend, Network, NetworkRun, NetworkShape } from '../network.ts';
import { hasInput, type NetworkPlan } from '../rewrite/network-plan.ts';
import { planNetwork } from '../rewrite/plan-network.ts';
import { LOGITS, POOLED } from '../tensor-names.ts';
import { assemble } from './create-network.ts';
import { openEmbeddingTable, type EmbeddingTable } from './embedding-table.ts';
import { createExecutor, release, type Execute } from './executor.ts';
import { createOwnSteps } from './passes/own-steps.ts';
import { type RunQueue, runtimeQueue } from './run-queue.ts';
import { type Ort, createSession, type ModelFiles, type SessionDevice } from './session.ts';

/** What a network is opened from and where it runs. */
export interface OpenOptions {
  readonly ort: Ort;
  readonly files: ModelFiles;
  readonly config: NetworkConfig;
  readonly on: SessionDevice;
  readonly backend: Backend;
  /** Rewritten before, when the same file is opened on several backends. */
  readonly plan?: NetworkPlan;
  /** Decides when a pass starts. Left out: one at a time in this thread. */
  readonly queue?: RunQueue | undefined;
}

/** A GPU's driver compiles the shaders during the first passes: more than 15 s on a software GPU of a busy machine. */
const SHADERS_MS = 20_000;

/** Context of networks that do not say how long theirs is. */
const UNKNOWN_CONTEXT_TOKENS = 512;

/**
 * Rewrites a model file and opens it as a network.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the reason, when the graph cannot be rewritten or opened
 */
export async function openNetwork(options: OpenOptions): Promise<Network> {
  const { ort, files, config, on, backend, queue = runtimeQueue } = options;
  const plan = options.plan ?? planNetwork(files.model, config);
  if (on.kind === 'webgpu' && plan.precision === 'float16' && !on.device.features.has('shader-f16'))
    throw new FailureError('MODEL_UNAVAILABLE', 'the network computes in 16-bit floats, which this GPU does not offer');
  const guard = guardOf(on.kind === 'webgpu' ? on.device : null);
  const table = await guard(() => tableOf(ort, plan, files));
  const session = await orRelease(
    async () => table?.release(),
    () => queue(() => guard(() => createSession(ort, plan, files, on))),
  );
  const own = on.kind === 'wasm' ? createOwnSteps({ ort, plan, files, guard }) : undefined;
  const parts = { session, table, own };
  const pace = createPace(on.kind === 'webgpu' ? SHADERS_MS : 0);
  const execute = createExecutor(ort, plan, parts, { guard, pace, queue });
  try {
    const shape = await orRelease(
      () => release(parts),
      () => probeShape(plan, execute, config),
    );
    return assemble(plan, execute, { backend, shape }, parts);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `ONNX Runtime cannot run the network on ${on.kind}: ${cause}`);
  }
}

async function tableOf(ort: Ort, plan: NetworkPlan, { embedTokens }: ModelFiles): Promise<EmbeddingTable | undefined> {
  if (!plan.inputs.some(({ role }) => role === 'embeddings')) return undefined;
  if (embedTokens) return runtimeQueue(() => openEmbeddingTable(ort, embedTokens));
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    'the network takes embeddings instead of token ids, and its folder has no onnx/embed_tokens file to look them up in',
  );
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
    showsLayers: plan.readsGivenStates,
    sharesKvCache: plan.kvCache.length > 0 && !plan.runsAlone,
    outputs: plan.outputs,
    ...(plan.keptBecause !== undefined && { keptBecause: plan.keptBecause }),
    takesPadding: hasInput(plan, 'mask') && !plan.runsAlone,
    takesPositions: hasInput(plan, 'positions') && !plan.keptBecause && !plan.runsAlone,
    showsAttention: plan.showsAttention,
    takesTokenWeights: hasInput(plan, 'weights'),
    paddingId: plan.paddingId ?? config.paddingId ?? 0,
  };
}

/** Where `config.json` and the graph's tables differ, the shorter: reading past a table is an error, or silently wrong. */
function contextTokensOf({ tabledPositions }: NetworkPlan, { contextTokens }: NetworkConfig): number {
  if (tabledPositions === undefined) return contextTokens ?? UNKNOWN_CONTEXT_TOKENS;
  return Math.min(tabledPositions, contextTokens ?? tabledPositions);
}
