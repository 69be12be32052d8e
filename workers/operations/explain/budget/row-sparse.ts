import type { ControlOptions } from '../../../../src/protocol/model-job.ts';
import type { KvCache, Layout, Network } from '../../../engine/network.ts';
import { activationBytes } from '../../../kernels/batch-plan.ts';
import { joined } from '../../../kernels/float-arrays.ts';
import { inFittingParts } from '../../fitting.ts';
import { perturbationMode } from '../../prompt/controls.ts';
import { fedIds, type TargetSequence } from '../../prompt/target-sequence.ts';
import type { Suppressions } from '../suppressions.ts';

/** Positions from the section's first on that are computed again: they carry most of its influence on. Measured, docs/benchmarks.md. */
const BEHIND = 4;
/** Positions at the end of the prompt that are computed again: they gather what the target needs. */
const LAST = 4;
const MAX_MEMBERS = 32;
/** Activations that a pass may take. */
const BUDGET_BYTES = 24 * 2 ** 20;

/** Estimates of suppressions from few rows each. */
export interface RowSparse {
  /** Positions that one estimate computes. */
  readonly rows: number;
  /** Log-probabilities of the target for each member, estimated: every row that is not computed again stays as without suppression. */
  estimate(members: readonly number[], cached: KvCache): Promise<Float32Array[]>;
  /** What the same rows make of the prompt as it is. It must be what the whole pass does. */
  unmodified(cached: KvCache): Promise<Float32Array>;
  /** Members that go together. */
  readonly together: number;
}

/**
 * Passes over a few rows behind the keys and values of all positions: those computed again hide the old ones of their
 * positions.
 *
 * @returns null where it cannot be: the network is not told positions or keeps no keys and values, the prompt has pictures,
 *   or is so short that a whole pass costs little more
 */
export function createRowSparse(
  sequence: TargetSequence,
  { base, changed }: Pick<Suppressions, 'base' | 'changed'>,
  { controls, network }: { readonly controls: ControlOptions; readonly network: Network },
): RowSparse | null {
  const { shape } = network;
  const last = sequence.ids.length - 1 - LAST;
  if (!shape.takesPositions || !shape.sharesKvCache || sequence.embeddingOverrides.length > 0) return null;
  if (last < 4 * BEHIND) return null;
  const ids = Int32Array.from(fedIds(sequence));
  const targets = Int32Array.from(sequence.target.ids);
  const mode = perturbationMode(controls);
  const rows = BEHIND + LAST + targets.length;

  /** Positions of a member's rows, ascending: behind its start, and from the end of the prompt on. */
  const rowsOf = (start: number): number[] => {
    const first = Math.max(0, Math.min(start, last - BEHIND));
    const behind = Array.from({ length: BEHIND }, (_, i) => first + i);
    return [...behind, ...Array.from({ length: LAST + targets.length }, (_, i) => last + i)];
  };
  const run = async (members: readonly { factors: Float64Array; start: number }[], cached: KvCache) => {
    const positions = members.map(({ start }) => rowsOf(start));
    const factors = members.map(({ factors: own }, i) => {
      const again = (positions[i] ?? []).map((position) => own[position] ?? 1);
      return Float64Array.from([...own, ...again]);
    });
    const { logProbabilities } = await network.run({
      batch: members.length,
      ids: Int32Array.from(positions.flat(), (position) => ids[position] ?? 0),
      cached: { kvCache: cached, tokens: ids.length },
      perturbation: { mode, factors: joined(factors) },
      layout: layoutOf(positions, ids.length),
      rows: targets.length,
      targets,
    });
    if (!logProbabilities) throw new RangeError('the network did not answer what was asked for');
    return members.map((_, i) => logProbabilities.subarray(i * targets.length, (i + 1) * targets.length));
  };
  const bytes = activationBytes(shape, rows, ids.length + rows, targets.length);
  return {
    rows,
    together: Math.max(1, Math.min(MAX_MEMBERS, Math.floor(BUDGET_BYTES / bytes))),
    estimate: async (members, cached) => [
      ...(await inFittingParts(members, (part) =>
        run(
          part.flatMap((member) => changed[member] ?? []),
          cached,
        ),
      )),
    ],
    unmodified: async (cached) => (await run([{ factors: base, start: 0 }], cached))[0] ?? new Float32Array(0),
  };
}

/** Each row sees what comes before it, of the rows that are computed again not the old ones. */
function layoutOf(positions: readonly (readonly number[])[], total: number): Layout {
  const rows = positions[0]?.length ?? 0;
  const width = total + rows;
  const hidden = new Uint8Array(positions.length * rows * width);
  positions.forEach((own, member) => {
    own.forEach((position, row) => {
      const start = (member * rows + row) * width;
      hidden.fill(1, start + position + 1, start + total);
      for (const replaced of own) hidden[start + replaced] = 1;
    });
  });
  return { positions: Int32Array.from(positions.flat()), hidden };
}
