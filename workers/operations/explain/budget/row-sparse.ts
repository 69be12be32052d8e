import type { ControlOptions } from '../../../../src/protocol/model-job.ts';
import type { EmbeddingOverride, KvCache, Network } from '../../../engine/network.ts';
import { activationBytes } from '../../../kernels/batches/batch-plan.ts';
import { inFittingParts } from '../../fitting.ts';
import { perturbationMode } from '../../prompt/controls.ts';
import type { TargetSequence } from '../../prompt/target-sequence.ts';

/** Rows that one pass computes: enough to keep a matrix product busy, few beside what each of them attends to. */
const PACK_ROWS = 192;
/** Activations that a pass may take. */
const BUDGET_BYTES = 24 * 2 ** 20;

/** A suppression to be estimated. */
export interface Sparse {
  /** Factors of all positions, float64 `[fed ids]`. */
  readonly factors: Float64Array;
  /** Positions that are computed again, ascending, in front of those that predict, which always are. */
  readonly rows: readonly number[];
}

/** Estimates of suppressions from few rows each. */
export interface RowSparse {
  /** Estimates that one pass gives, the first of these. */
  together(asked: readonly Sparse[]): number;
  /** Log-probabilities of the target for each, estimated: every row that is not computed again stays as without suppression. */
  estimate(asked: readonly Sparse[], kvCache: KvCache): Promise<readonly Float32Array[]>;
}

/**
 * Passes over a few rows behind the keys and values of all positions. The rows of several suppressions stand in one sequence
 * and do not see one another, so that keys and values are there once; each row hides the old ones of its own positions.
 *
 * @returns null where it cannot be: the network is not told positions or keeps no keys and values
 */
export function createRowSparse(
  sequence: TargetSequence,
  { controls, network }: { readonly controls: ControlOptions; readonly network: Network },
): RowSparse | null {
  const { shape } = network;
  if (!shape.takesPositions || !shape.sharesKvCache) return null;
  const ids = Int32Array.from(sequence.fed.ids);
  const targets = sequence.target.ids;
  const first = sequence.ids.length - 1; // predicts
  const mode = perturbationMode(controls);

  const run = async (asked: readonly Sparse[], kvCache: KvCache) => {
    const packed = packedRows(asked, { first, total: ids.length });
    const { logProbabilities } = await network.run({
      batch: 1,
      ids: packed.positions.map((position) => ids[position] ?? 0),
      embeddingOverrides: packedOverrides(packed.positions, sequence, { total: ids.length, width: shape.width }),
      cached: { kvCache, tokens: ids.length },
      perturbation: { mode, factors: packed.factors },
      layout: { positions: packed.positions, hidden: packed.hidden },
      rows: asked.length * targets.length,
      targets: Int32Array.from({ length: asked.length * targets.length }, (_, i) => targets[i % targets.length] ?? 0),
    });
    if (!logProbabilities) throw new RangeError('the network did not answer what was asked for');
    return asked.map((_, i) => logProbabilities.subarray(i * targets.length, (i + 1) * targets.length));
  };
  const fits = (rows: number, predicting: number) =>
    rows <= PACK_ROWS && activationBytes(shape, rows, ids.length + rows, predicting) <= BUDGET_BYTES;
  return {
    together(asked) {
      let rows = 0;
      const count = asked.findIndex((each, i) => {
        rows += each.rows.length + targets.length;
        return !fits(rows, (i + 1) * targets.length);
      });
      return count < 0 ? asked.length : Math.max(1, count);
    },
    estimate: (asked, kvCache) => inFittingParts(asked, (part) => run(part, kvCache)),
  };
}

/** Rows of pictures, at the places that they have in a packed sequence behind `total` positions. */
function packedOverrides(
  positions: Int32Array,
  { embeddingOverrides }: TargetSequence,
  { total, width }: { readonly total: number; readonly width: number },
): EmbeddingOverride[] {
  return embeddingOverrides.flatMap(({ position: first, rows }) =>
    [...positions].flatMap((position, at) => {
      const row = (position - first) * width;
      return row >= 0 && row < rows.length ? [{ position: total + at, rows: rows.subarray(row, row + width) }] : [];
    }),
  );
}

/** One sequence: the rows of each suppression, and behind them all those that predict. */
function packedRows(
  asked: readonly Sparse[],
  { first, total }: { readonly first: number; readonly total: number },
): { positions: Int32Array; hidden: Uint8Array; factors: Float64Array } {
  const predicting = Array.from({ length: total - first }, (_, i) => first + i);
  const tokens = asked.flatMap(({ rows }, of) => rows.map((position) => ({ of, position })));
  for (const of of asked.keys()) tokens.push(...predicting.map((position) => ({ of, position })));
  const width = total + tokens.length;
  const hidden = new Uint8Array(tokens.length * width);
  const factors = new Float64Array(tokens.length * width).fill(1);
  tokens.forEach(({ of, position }, at) => {
    const own = asked[of]?.factors;
    if (!own) return;
    const row = at * width;
    hidden.fill(1, row + position + 1, row + width);
    factors.set(own, row);
    for (const replaced of asked[of]?.rows ?? []) hidden[row + replaced] = 1;
    hidden.fill(1, row + first, row + total);
    for (let behind = 0; behind <= at; behind++) {
      const other = tokens[behind];
      if (other?.of !== of) continue;
      hidden[row + total + behind] = 0;
      factors[row + total + behind] = own[other.position] ?? 1;
    }
  });
  return { positions: Int32Array.from(tokens, ({ position }) => position), hidden, factors };
}
