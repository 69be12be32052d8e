import { FailureError } from '../../../src/contract/failure.ts';
import { neededBytes } from '../../../src/models/memory.ts';
import type { PrepareJob, ThreadFigures } from '../../../src/protocol/model-job.ts';
import { agree, observer, testIds, TOLERANCE } from '../../engine/checks/test-runs.ts';
import { writes } from '../../engine/loading/model-files.ts';
import { isLarge } from '../../engine/device/room.ts';
import { threadsOf } from '../../engine/device/threads.ts';
import type { Network, NetworkRun } from '../../engine/network.ts';
import type { JobContext, ModelSource } from '../context.ts';

/** What passes are timed: a step of a text, a prompt, the batch of an explanation. */
const SHAPES = [
  { batch: 1, tokens: 1 },
  { batch: 1, tokens: 40 },
  { batch: 8, tokens: 40 },
] as const;

/** Rounds by turns, of which the median counts: other programs disturb one round more than another. */
const ROUNDS = 7;

/**
 * Measures a model on other numbers of threads beside the usual one: on one, on two, and on as many as the page can have. Each
 * number opens it a second time, and tests it as any network is. A number on which it cannot be opened, or computes other results,
 * is left out. All of them stay open: this is for a worker that ends afterwards.
 *
 * @param usual  threads that the page can have; left out: found here
 */
export async function tryThreads(
  job: PrepareJob,
  context: JobContext,
  lend: ModelSource['lend'],
  usual = threadsOf(self, navigator.hardwareConcurrency).threads,
): Promise<ThreadFigures> {
  const counts = [...new Set([1, 2, usual])].filter((count) => count < usual);
  const skipped = whySkipped(job, counts);
  if (skipped !== null) return { threads: usual, others: [], skipped };
  return lend(job, context, async ({ network }) => {
    const others: { threads: number; speed: number }[] = [];
    for (const count of counts) {
      const other = { ...job, threads: { count, why: 'being tried' } };
      try {
        const speed = await lend(other, context, (model) => speedOf(model.network, network, context));
        if (speed !== null) others.push({ threads: count, speed });
      } catch (error) {
        if (!(error instanceof FailureError) || error.failure.code === 'DEVICE_LOST') throw error;
      }
    }
    return { threads: usual, others, skipped: null };
  });
}

function whySkipped({ model, backend }: PrepareJob, counts: readonly number[]): string | null {
  if (backend !== 'wasm') return 'it does not run on WebAssembly';
  if (writes(model)) return 'transformers.js runs it';
  if (counts.length === 0) return 'the page has one thread';
  return isLarge({ bytes: neededBytes(model) }) ? 'it is large, and would be opened twice' : null;
}

/** How many times as fast a network is as another; null where their results differ. */
async function speedOf(network: Network, than: Network, context: JobContext): Promise<number | null> {
  const [first, second] = [await timed(network), await timed(than)]; // what is slower the first time does not count
  if (!first.values.every((values, at) => agree(values, second.values[at] ?? values, TOLERANCE.float32))) return null;
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await context.checkpoint();
    const { ms } = await timed(network);
    const beside = (await timed(than)).ms;
    speeds.push(Math.exp(ms.reduce((sum, own, at) => sum + Math.log((beside[at] ?? own) / own), 0) / ms.length));
  }
  return speeds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? null;
}

/** Time of a pass of each shape, and its results. */
async function timed(network: Network): Promise<{ readonly ms: number[]; readonly values: Float32Array[] }> {
  const [ms, values]: [number[], Float32Array[]] = [[], []];
  for (const { batch, tokens } of SHAPES) {
    const one = testIds(network, Math.min(tokens, network.shape.contextTokens), 0);
    const ids = Int32Array.from({ length: batch * one.length }, (_, at) => one[at % one.length] ?? 0);
    const startMs = performance.now();
    values.push(await resultOf(network, { batch, ids }));
    ms.push(performance.now() - startMs);
  }
  return { ms, values };
}

/** What operations take most: the last position's logits, or the states of all; of a graph that runs as exported, its first output. */
async function resultOf(network: Network, run: Pick<NetworkRun, 'batch' | 'ids'>): Promise<Float32Array> {
  const { keptBecause, outputs, vocabulary } = network.shape;
  if (keptBecause !== undefined)
    return Object.values((await network.run({ ...run, outputs })).outputs ?? {})[0]?.values ?? new Float32Array(0);
  if (vocabulary === 0) return (await observer(network)(run)).values;
  return (await network.run({ ...run, logits: true })).logits ?? new Float32Array(0);
}
