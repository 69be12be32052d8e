import { tokensOf, type NetworkRun } from '../network.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import { WORD_EMBEDDINGS, isPrediction } from '../tensor-names.ts';
import { type EmbeddingTable, embeddedRows } from './embedding-table.ts';
import { type KvCacheTensors, feedsOf } from './feeds/feeds.ts';
import type { Guard } from '../device/guard.ts';
import { threadPulse, type Pace, type Pulse } from '../device/pulse.ts';
import { type RunQueue, runtimeQueue } from './run-queue.ts';
import type { OwnSteps } from './passes/own-steps.ts';
import type { Fetched, Ort, Session } from './session.ts';

/** One pass through the session; returns exactly the tensors named. */
export type Execute = (run: NetworkRun, fetches: readonly string[], kvTensors?: KvCacheTensors) => Promise<Fetched>;

/** The sessions of a network. */
export interface Parts {
  readonly session: Session;
  /** Of a network that is fed embeddings. */
  readonly table: EmbeddingTable | undefined;
  /** The file as it was exported, for steps that need nothing of the rewrite. Left out: the rewritten graph takes all. */
  readonly own?: OwnSteps | undefined;
}

/** What looks after passes. */
export interface Watch {
  readonly guard: Guard;
  readonly pace: Pace;
  /** Left out: this thread's. */
  readonly pulse?: Pulse;
  /** Decides when a pass starts. Left out: the queue of this thread's ONNX Runtime. */
  readonly queue?: RunQueue | undefined;
}

/** Releases the sessions. */
export async function release({ session, table, own }: Parts): Promise<void> {
  await session.release();
  await own?.release();
  await table?.release();
}

/** Which parts of the graph lead to the tensors named. Keys, values and word embeddings come from outside both. */
function needsOf({ kvCache }: NetworkPlan, fetches: readonly string[]) {
  const isOutside = (name: string) => name === WORD_EMBEDDINGS || kvCache.some(({ output }) => output === name);
  return {
    needsLogits: fetches.some(isPrediction),
    needsStates: fetches.some((name) => !isPrediction(name) && !isOutside(name)),
  };
}

/**
 * Looks the run's embeddings up where the network is fed them, and runs the session, one pass at a time. Before a pass it
 * says how long that should take, by the passes before it.
 */
export function createExecutor(
  ort: Ort,
  plan: NetworkPlan,
  { session, table, own }: Parts,
  { guard, pace, pulse = threadPulse, queue = runtimeQueue }: Watch,
): Execute {
  /** The table is a session of this thread, wherever the network runs. */
  const inThread: RunQueue = queue === runtimeQueue ? (task) => task() : runtimeQueue;
  const rewritten: Execute = async (run, fetches, kvTensors) => {
    const embedded = table && (await inThread(() => guard(() => embeddedRows(table, run))));
    const feeds = feedsOf(ort, plan, run, { kvTensors, ...needsOf(plan, fetches), embedded });
    return guard(() => session.run(feeds, fetches, { signal: run.signal }));
  };
  const pass: Execute = (run, fetches, kvTensors) => {
    const throughRewritten = () => rewritten(run, fetches, kvTensors);
    return own ? own.take({ run, fetches, kvTensors, rewritten: throughRewritten }) : throughRewritten();
  };
  return (run, fetches, kvTensors) =>
    queue(async () => {
      run.signal?.throwIfAborted();
      if (run.embeddingOverrides?.length && !table)
        throw new RangeError('embedding overrides: expected a network with inputs embeds, got one with token ids');
      const work = workOf(run);
      pulse.beat(pace.expected(work));
      const startedMs = performance.now();
      const fetched = await pass(run, fetches, kvTensors);
      pace.measured(work, performance.now() - startedMs);
      pulse.beat(0);
      return fetched;
    });
}

/** A position costs as much as attending to so many others. */
const POSITION = 512;

/** Work of a pass, comparable between passes of one network. */
function workOf(run: NetworkRun): number {
  const tokens = tokensOf(run);
  return run.batch * tokens * (POSITION + tokens + (run.cached?.tokens ?? 0));
}
