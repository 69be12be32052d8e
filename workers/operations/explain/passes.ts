import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { Attention, KvCache, Layout, Network, NetworkRun } from '../../engine/network.ts';
import { activationBytes, planBatches, type Batch, type PlanOptions } from '../../kernels/batches/batch-plan.ts';
import { joined } from '../../kernels/float-arrays.ts';
import { type ChunkedRun, inChunks, PASS_BYTES } from './chunks.ts';
import { perturbationMode } from '../prompt/controls.ts';
import type { TargetSequence } from '../prompt/target-sequence.ts';
import type { Suppressions } from './suppressions.ts';

/** Activations a pass may take even where a forward pass takes less: larger batches cost less each. Measured by `npm run bench`. */
const LEAST_BUDGET_BYTES = 24 * 2 ** 20;

/**
 * Share of positions that a pass may compute needlessly to allow a larger batch: starting a pass costs little on a
 * processor and much on a GPU or on another machine. Measured by `npm run bench` for WebAssembly.
 */
const WASTE = { wasm: 0.05, webgpu: 1, remote: 1 } as const;

/** What every pass of an explanation is fed, and what it is asked. */
export interface Fed {
  readonly ids: Int32Array;
  readonly embeddingOverrides: TargetSequence['embeddingOverrides'];
  /** The first position that predicts, where a pass begins at the latest: else that position could not be read. */
  readonly latest: number;
  /** Positions at the end that predict. */
  readonly rows: number;
  /** `[rows, choices]` */
  readonly targets: Int32Array;
  readonly choices: number;
  /** Of a pass from a position on; undefined where tokens simply follow one another. */
  layout(start: number): Layout | undefined;
  /** The answers to what was asked, out of log-probabilities `[rows, choices]`. */
  asked(logProbabilities: Float32Array): Float32Array;
}

/** Prompt and target, as they follow one another. */
export function fedWith(sequence: TargetSequence): Fed {
  return {
    ids: Int32Array.from(sequence.fed.ids),
    embeddingOverrides: sequence.embeddingOverrides,
    latest: sequence.ids.length - 1,
    rows: sequence.target.ids.length,
    targets: Int32Array.from(sequence.target.ids),
    choices: 1,
    layout: () => undefined,
    asked: (logProbabilities) => logProbabilities,
  };
}

/** The passes of one explanation. */
export interface Passes {
  /**
   * The prompt as it is, under its own controls; its keys and values are kept where the network can share them.
   *
   * @param known  keys and values of the prompt that are there already; none are kept then
   */
  original(known?: KvCache): Promise<Original>;
  /** Which suppressions go together, and where each pass starts. @param only  of these; left out: of all */
  plan(only?: readonly number[]): Batch[];
  /**
   * Log-probabilities of what is asked for each member, `[asked]` each.
   *
   * @param signal  ends a pass on another machine
   */
  suppressed(batch: Batch, kvCache: KvCache | undefined, signal?: AbortSignal): Promise<Float32Array[]>;
}

/** What an unmodified pass leaves. */
export interface Original {
  /** Of what is asked, `[asked]` */
  readonly logProbabilities: Float32Array;
  /** Where the network can share it. */
  readonly kvCache: KvCache | undefined;
  /** Where it was asked for. */
  readonly attention?: Attention | undefined;
}

/** Passes of which the unmodified one has run. */
export interface OriginalRun {
  readonly passes: Passes;
  readonly original: Original;
}

/** What passes run on. */
export interface PassOptions {
  readonly controls: ControlOptions;
  readonly network: Network;
  /** Aborted once the job is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** The unmodified pass shows its attention too. */
  readonly showsAttention?: boolean;
}

/** Passes over a sequence; nothing runs before it is asked for. */
export function createPasses(
  fed: Fed,
  { base, changed }: Pick<Suppressions, 'base' | 'changed'>,
  { controls, network, signal: cancelled, showsAttention = false }: PassOptions,
): Passes {
  const { ids, rows, targets, choices, latest } = fed;
  const { sharesKvCache } = network.shape;

  // The memory of an engine elsewhere is its own business.
  const run = network.backend.kind === 'remote' ? network.run : (asked: ChunkedRun) => inChunks(network, asked);

  return {
    async original(known) {
      const { logProbabilities, kvCache, attention } = await (known
        ? predict([base], latest, known, { signal: cancelled })
        : predict([base], 0, undefined, { keepKvCache: sharesKvCache, attention: showsAttention, signal: cancelled }));
      return { logProbabilities: fed.asked(logProbabilities), kvCache, attention };
    },
    plan(only = [...changed.keys()]) {
      const starts = only.map((member) => Math.min(changed[member]?.start ?? 0, latest));
      return planBatches(starts, planOptions(starts.length, network, { total: ids.length, rows })).map(
        ({ cachedTokens, members }) => ({
          cachedTokens,
          members: members.flatMap((at) => only[at] ?? []),
        }),
      );
    },
    async suppressed({ cachedTokens: start, members }, kvCache, signal) {
      const factors = members.map((member) => changed[member]?.factors ?? base);
      const { logProbabilities: flat } = await predict(factors, start, kvCache, { signal });
      const width = rows * choices;
      return members.map((_, i) => fed.asked(flat.subarray(i * width, (i + 1) * width)));
    },
  };

  /** Log-probabilities of what is asked, from position `start` on behind a KV cache. */
  async function predict(
    factors: readonly Float64Array[],
    start: number,
    kvCache: KvCache | undefined,
    { keepKvCache = false, attention = false, signal }: Pick<NetworkRun, 'keepKvCache' | 'attention' | 'signal'> = {},
  ) {
    const layout = fed.layout(start);
    const answer = await run({
      batch: factors.length,
      ids: ids.subarray(start),
      sameIds: true,
      embeddingOverrides: fed.embeddingOverrides,
      ...(kvCache && start > 0 && { cached: { kvCache, tokens: start } }),
      perturbation: { mode: perturbationMode(controls), factors: joined(factors) },
      ...(layout && { layout }),
      ...{ rows, targets, choices, keepKvCache, attention, signal },
    });
    const { logProbabilities } = answer;
    if (!logProbabilities) throw new RangeError('the network did not answer what was asked for');
    return { ...answer, logProbabilities };
  }
}

/** A pass takes as much as one over all positions with all logits, within limits. */
function planOptions(
  sections: number,
  network: Network,
  { total, rows }: Pick<PlanOptions, 'total' | 'rows'>,
): PlanOptions {
  const { shape } = network;
  const ofForward = activationBytes(shape, total, total, total);
  return {
    ...{ size: shape, total, rows, sharesKvCache: shape.sharesKvCache, waste: WASTE[network.backend.kind] },
    budget: Math.min(Math.max(ofForward, LEAST_BUDGET_BYTES), PASS_BYTES),
    ...shareOfEach(sections, network),
  };
}

/** Several passes for each that may be under way: an engine elsewhere is kept busy, and its memory is its own business. */
const PASSES_EACH = 2;

function shareOfEach(sections: number, { inFlight }: Network) {
  if (inFlight === undefined) return {};
  return { budget: Infinity, mostMembers: Math.max(1, Math.ceil(sections / (PASSES_EACH * inFlight()))) };
}
