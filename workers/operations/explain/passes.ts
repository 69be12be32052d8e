import type { ControlOptions } from '../../../src/protocol/model-job.ts';
import type { Network, NetworkRun, KvCache } from '../../engine/network.ts';
import { activationBytes, planBatches, type Batch } from '../../kernels/batch-plan.ts';
import { joined } from '../../kernels/float-arrays.ts';
import { perturbationMode } from '../prompt/controls.ts';
import { fedIds, type TargetSequence } from '../prompt/target-sequence.ts';
import type { Suppressions } from './suppressions.ts';

/** Activations a pass may take even where a forward pass takes less: larger batches cost less each. Measured by `npm run bench`. */
const LEAST_BUDGET_BYTES = 24 * 2 ** 20;

/**
 * Share of positions that a pass may compute needlessly to allow a larger batch: starting a pass costs little on a
 * processor and much on a GPU or on another machine. Measured by `npm run bench` for WebAssembly.
 */
const WASTE = { wasm: 0.05, webgpu: 1, remote: 1 } as const;

/** The passes of one explanation. */
export interface Passes {
  /** The prompt as it is, under its own controls; its keys and values are kept where the network can share them. */
  original(): Promise<{ readonly logProbabilities: Float32Array; readonly cached: KvCache | undefined }>;
  /** Which suppressions go together, and where each pass starts. */
  plan(): Batch[];
  /**
   * Log-probabilities of the target for each member, `[target tokens]` each.
   *
   * @param signal  ends a pass on another machine
   */
  suppressed(batch: Batch, cached: KvCache | undefined, signal?: AbortSignal): Promise<Float32Array[]>;
}

/** What passes run on. */
export interface PassesOptions {
  readonly controls: ControlOptions;
  readonly network: Network;
  /** Aborted once the job is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** Passes over a sequence; nothing runs before it is asked for. */
export function createPasses(
  sequence: TargetSequence,
  { base, changed }: Pick<Suppressions, 'base' | 'changed'>,
  options: PassesOptions,
): Passes {
  const { controls, network } = options;
  const targets = Int32Array.from(sequence.target.ids);
  const ids = Int32Array.from(fedIds(sequence));
  const mode = perturbationMode(controls);
  const { sharesKvCache } = network.shape;
  const sizes = { size: network.shape, total: ids.length, rows: targets.length };

  /** Log-probabilities of the target, from position `start` on behind a KV cache. */
  const predict = async (
    factors: readonly Float64Array[],
    start: number,
    keep: KvCache | undefined,
    { keepKvCache = false, signal }: Pick<NetworkRun, 'keepKvCache' | 'signal'> = {},
  ) => {
    const { logProbabilities, kvCache } = await network.run({
      batch: factors.length,
      ids: ids.subarray(start),
      sameIds: true,
      embeddingOverrides: sequence.embeddingOverrides,
      ...(keep && start > 0 && { cached: { kvCache: keep, tokens: start } }),
      perturbation: { mode, factors: joined(factors) },
      rows: targets.length,
      targets,
      keepKvCache,
      signal,
    });
    if (!logProbabilities) throw new RangeError('the network did not answer what was asked for');
    return { logProbabilities, cached: kvCache };
  };
  return {
    original: () => predict([base], 0, undefined, { keepKvCache: sharesKvCache, signal: options.signal }),
    plan() {
      const budget = Math.max(activationBytes(network.shape, ids.length, ids.length, ids.length), LEAST_BUDGET_BYTES);
      // A pass begins at the first predicting position at the latest, or that position could not be read.
      const starts = changed.map(({ start }) => Math.min(start, sequence.ids.length - 1));
      const waste = WASTE[network.backend.kind];
      return planBatches(starts, { ...sizes, budget, waste, sharesKvCache, ...shareOfEach(starts.length, network) });
    },
    async suppressed({ cachedTokens: start, members }, cached, signal) {
      const factors = members.map((member) => changed[member]?.factors ?? base);
      const { logProbabilities: flat } = await predict(factors, start, cached, { signal });
      return members.map((_, i) => flat.subarray(i * targets.length, (i + 1) * targets.length));
    },
  };
}

/** Several passes for each that may be under way: an engine elsewhere is kept busy, and its memory is its own business. */
const PASSES_EACH = 2;

function shareOfEach(sections: number, { inFlight }: Network) {
  if (inFlight === undefined) return {};
  return { budget: Infinity, mostMembers: Math.max(1, Math.ceil(sections / (PASSES_EACH * inFlight()))) };
}
