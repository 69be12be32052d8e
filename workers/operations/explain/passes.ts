import type { ExplainedPlan, ExplainJob } from '../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import {
  costsOf,
  type KvCache,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  type Perturbation,
  requested,
  type TokenLayout,
  tokensOf,
} from '../../engine/network.ts';
import { activationBytes, planPasses } from '../../kernels/batch-plan.ts';
import { concatenated } from '../../kernels/float-arrays.ts';
import { mapConcurrent, type TaskContext } from '../../serving/serve.ts';
import { halvedOnOutOfMemory } from '../../engine/device/guard.ts';
import type { TargetSequence } from '../predict.ts';
import type { Report } from './report.ts';

/** The effect of one suppressed section on the attention paid to each position. */
export interface Suppression {
  readonly section: number;
  /** First position that it changes. */
  readonly start: number;
  /** Factors of all positions, float64 `[fed ids]`. */
  readonly factors: Float64Array;
}

/** The sections of an explanation, suppressed one by one. */
export interface Suppressions {
  readonly mode: Perturbation['mode'];
  /** Factors of the prompt's own controls, float64 `[fed ids]`. */
  readonly base: Float64Array;
  /** One for each section that changes a position, in order. */
  readonly changed: readonly Suppression[];
  /** Sections that change no position. */
  readonly unchanged: readonly number[];
}

/** An explanation before its first pass. */
export interface ExplainInput {
  readonly job: ExplainJob;
  readonly model: LoadedModel;
  readonly context: TaskContext;
  readonly sequence: TargetSequence;
  /** The same prompt, followed by the foil. */
  readonly foil: TargetSequence | null;
  readonly plan: ExplainedPlan;
  readonly suppressions: Suppressions;
  readonly report: Report;
}

/** The input of every pass of an explanation, and the tokens that it rates. */
export interface PassInput {
  readonly ids: Int32Array;
  readonly embeddingOverrides: TargetSequence['embeddingOverrides'];
  readonly mode: Perturbation['mode'];
  /** Factors of the unmodified pass, float64 `[ids]`. */
  readonly base: Float64Array;
  /** Factors with a section suppressed, float64 `[ids]`. */
  factorsOf(suppression: Suppression): Float64Array;
  /** The first position that predicts. No pass begins after it, else that position could not be read. */
  readonly latestStart: number;
  /** Positions at the end that predict. */
  readonly rows: number;
  /** `[rows, choices]` */
  readonly targets: Int32Array;
  readonly choices: number;
  /** The layout of a pass from a position on; undefined where tokens simply follow one another. */
  layout(start: number): TokenLayout | undefined;
  /** Takes the target's tokens, and then the foil's, from log-probabilities `[rows, choices]`. */
  inOrder(logProbabilities: Float32Array): Float32Array;
}

/** The input of passes over a prompt and its target. */
export function passInputFor(sequence: TargetSequence, { mode, base }: Suppressions): PassInput {
  return {
    ids: Int32Array.from(sequence.fed.ids),
    embeddingOverrides: sequence.embeddingOverrides,
    mode,
    base,
    factorsOf: ({ factors }) => factors,
    latestStart: sequence.ids.length - 1,
    rows: sequence.target.ids.length,
    targets: Int32Array.from(sequence.target.ids),
    choices: 1,
    layout: () => undefined,
    inOrder: (logProbabilities) => logProbabilities,
  };
}

interface SuppressionBatch<Suppressed extends Suppression = Suppression> {
  /** Positions taken from the KV cache. */
  readonly cachedTokens: number;
  readonly suppressions: readonly Suppressed[];
}

type Passes = ReturnType<typeof createPasses>;

/** An explanation whose unmodified pass has run. */
export interface StartedExplanation extends ExplainInput {
  readonly passes: Passes;
  readonly original: Awaited<ReturnType<Passes['original']>>;
}

/** Allowed difference between passes with a layout and those without: else the network does not respect it. */
export const AGREEMENT = 1e-3;

/**
 * Computes the influence of each suppressed section, `[target tokens and then foil tokens]`, in as many passes at once as the
 * network takes, with a checkpoint before each.
 *
 * @param onRows  takes the sections of a batch, and a row for each
 * @returns positions computed
 * @throws {FailureError} OUT_OF_MEMORY where one suppression alone is too large
 */
export async function computeInfluences<Suppressed extends Suppression>(
  { context, model, sequence, passes, original }: StartedExplanation,
  suppressions: readonly Suppressed[],
  onRows: (suppressions: readonly Suppressed[], rows: readonly Float64Array[]) => void,
): Promise<number> {
  const batches = passes.plan(suppressions);
  await mapConcurrent(batches, { context, width: model.network.inFlight }, async (batch, signal) => {
    const found = await halvedOnOutOfMemory(batch.suppressions, (part) =>
      passes.suppressed({ ...batch, suppressions: part }, original.kvCache, signal),
    );
    const rows = found.map((logProbabilities) => tokenInfluence(logProbabilities, original.logProbabilities));
    onRows(batch.suppressions, rows);
  });
  const total = sequence.fed.ids.length;
  return batches.reduce((sum, batch) => sum + batch.suppressions.length * (total - batch.cachedTokens), 0);
}

/** Passes over a sequence. */
export function createPasses(input: PassInput, network: Network) {
  return {
    /**
     * The prompt under its own controls only: log-probabilities of the target's tokens, and then the foil's. Its keys and values
     * stay on the device where the network can share them.
     *
     * @param options.known           keys and values of the prompt from an earlier pass; this one leaves none
     * @param options.showsAttention  returns attention too
     */
    async original({ known, showsAttention = false }: { known?: KvCache | undefined; showsAttention?: boolean } = {}) {
      const isFirst = known === undefined;
      const { logProbabilities, kvCache, attention } = await rate(input, network, [input.base], {
        start: isFirst ? 0 : input.latestStart,
        kvCache: known,
        keepKvCache: isFirst && network.shape.sharesKvCache,
        attention: isFirst && showsAttention,
      });
      return { logProbabilities: input.inOrder(logProbabilities), kvCache, attention };
    },
    /** Decides which suppressions share a pass, and where each pass starts. */
    plan<Suppressed extends Suppression>(suppressions: readonly Suppressed[]): SuppressionBatch<Suppressed>[] {
      const starts = suppressions.map(({ start }) => Math.min(start, input.latestStart));
      return passesFrom(starts, { total: input.ids.length, rows: input.rows }, network).map((pass) => ({
        cachedTokens: pass.cachedTokens,
        suppressions: pass.members.flatMap((member) => suppressions[member] ?? []),
      }));
    },
    /** Log-probabilities of target and foil tokens for each suppression. @param signal  ends a pass elsewhere */
    async suppressed(
      { cachedTokens: start, suppressions }: SuppressionBatch,
      kvCache: KvCache | undefined,
      signal?: AbortSignal,
    ): Promise<Float32Array[]> {
      const factors = suppressions.map((each) => input.factorsOf(each));
      const { logProbabilities } = await rate(input, network, factors, { start, kvCache, signal });
      const width = input.rows * input.choices;
      return suppressions.map((_, i) => input.inOrder(logProbabilities.subarray(i * width, (i + 1) * width)));
    },
  };
}

/** Runs a pass from `start` on, one sequence for each row of factors. */
async function rate(
  { ids, embeddingOverrides, mode, rows, targets, ...input }: PassInput,
  network: Network,
  factors: readonly Float64Array[],
  {
    start,
    kvCache,
    ...options
  }: { start: number; kvCache: KvCache | undefined } & Pick<NetworkRun, 'keepKvCache' | 'attention' | 'signal'>,
) {
  const answer = await inChunks(network, {
    batch: factors.length,
    ids: ids.subarray(start),
    sameIds: true as const,
    embeddingOverrides,
    ...(kvCache && start > 0 && { cached: { kvCache, tokens: start } }),
    perturbation: { mode, factors: concatenated(factors), layout: input.layout(start) },
    rows,
    targets,
    ...options,
  });
  return { ...answer, logProbabilities: requested(answer.logProbabilities) };
}

/** Passes per slot of a remote engine, so that it is always busy. */
const PASSES_PER_SLOT = 2;

/** Sequences of one request: a remote engine does not tell its memory. */
const MAX_SENT = 32;

/** What passes over a sequence depend on. */
type Planned = Pick<Network, 'backend' | 'costs' | 'inFlight'> & {
  readonly shape: Pick<Network['shape'], 'layers' | 'width' | 'vocabulary' | 'sharesKvCache'>;
};

/**
 * Decides which changes of a sequence share a pass. A pass computes everything again from its first change on, so that changes close
 * together share it.
 *
 * @param starts  first position that each changes, `[changes]`
 * @param total   positions of the sequence
 * @param rows    positions that predict
 * @returns       passes that hold each change once; `cachedTokens` are the positions taken from the KV cache
 */
export function passesFrom(
  starts: readonly number[],
  { total, rows }: { readonly total: number; readonly rows: number },
  { shape, inFlight, ...device }: Planned,
): { readonly cachedTokens: number; readonly members: readonly number[] }[] {
  const positions = starts.map((start) => total - (shape.sharesKvCache ? start : 0));
  const bytesOf = (tokens: number) => activationBytes(shape, tokens, total, rows);
  const perSlot = inFlight && Math.ceil(starts.length / (PASSES_PER_SLOT * inFlight()));
  const maxMembers = perSlot === undefined ? Infinity : Math.min(MAX_SENT, Math.max(1, perSlot));
  return planPasses(positions, costsOf(device), { bytesOf, takesPadding: true, maxMembers }).map((members) => {
    return { cachedTokens: total - (positions[members[0] ?? 0] ?? total), members };
  });
}

interface ChunkedRun extends NetworkRun {
  readonly sameIds: true;
  readonly rows: number;
  readonly perturbation: Perturbation;
}

/**
 * Runs a pass, in chunks where its activations would take more than `maxBytes`, each after the keys and values of those before
 * it. The numbers are the same: a position does not depend on later ones.
 *
 * @param maxBytes  of activations; a chunk has at least as many positions as predict
 * @throws errors of the network, after it has released keys and values of chunks
 */
export async function inChunks(
  network: Network,
  run: ChunkedRun,
  maxBytes = costsOf(network).memoryBytes,
): Promise<NetworkAnswer> {
  const { batch, embeddingOverrides, signal } = run;
  const chunk = { batch, signal, keepKvCache: true, ...(embeddingOverrides && { embeddingOverrides }) };
  let cached = run.cached;
  let kvCache: KvCache | undefined; // of the chunks so far
  try {
    let from = 0;
    for (const end of chunkEnds(network, run, maxBytes)) {
      const answer = await network.run({ ...chunk, ...partOf(run, { from, end, cached }) });
      kvCache?.release();
      kvCache = undefined; // released once, also where the next line throws
      kvCache = requested(answer.kvCache);
      cached = { kvCache, tokens: kvCache.tokens };
      from = end;
    }
    return await network.run({ ...run, ...partOf(run, { from, end: tokensOf(run), cached }) });
  } finally {
    kvCache?.release();
  }
}

/** The ends of chunks, without the last, which predicts; none where the pass fits or cannot be split. */
function chunkEnds({ shape }: Pick<Network, 'shape'>, run: ChunkedRun, maxBytes: number): number[] {
  const tokens = tokensOf(run);
  const total = tokens + (run.cached?.tokens ?? 0);
  const bytesOf = (count: number) => run.batch * activationBytes(shape, count, total, run.rows);
  if (bytesOf(tokens) <= maxBytes || !shape.sharesKvCache || run.perturbation.layout || run.attention) return [];
  const each = (bytesOf(tokens) - bytesOf(0)) / tokens;
  const size = Math.max(run.rows, Math.floor((maxBytes - bytesOf(0)) / each));
  const ends: number[] = [];
  for (let end = size; end < tokens; end += size) ends.push(Math.min(end, tokens - run.rows));
  return ends.filter((end, at) => end > (ends[at - 1] ?? 0));
}

/** Ids and factors of the run's positions `from` to `end`, and the KV cache before them. */
function partOf(
  { batch, ids, sameIds, perturbation, cached: known }: ChunkedRun,
  { from, end, cached }: { from: number; end: number; cached: NetworkRun['cached'] },
) {
  const { factors } = perturbation;
  const total = factors.length / batch;
  const last = (known?.tokens ?? 0) + end;
  const rows = Array.from({ length: batch }, (_, row) => factors.subarray(row * total, row * total + last));
  return {
    sameIds,
    ...(cached && { cached }),
    ids: ids.subarray(from, end),
    perturbation: { ...perturbation, factors: concatenated(rows) },
  };
}

/**
 * Influence of one section on each target token: cross entropy with the section suppressed minus without, in nats.
 * Positive means that the section supports the target.
 *
 * @param suppressed  natural-log probability of each target token with the section suppressed, `[tokens]`
 * @param original    the same without, `[tokens]`
 * @returns           float64 `[tokens]`
 * @source            AtMan, arXiv:2301.08110, Eq. 3, with the sign of contract facts §1.5
 */
export function tokenInfluence(suppressed: ArrayLike<number>, original: ArrayLike<number>): Float64Array {
  return Float64Array.from(original, (logProbability, t) => logProbability - (suppressed[t] ?? Number.NaN));
}
