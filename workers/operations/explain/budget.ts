import type { MarginConstants } from '../../../src/models/model.ts';
import type { ExplainJob, ExplainOutput } from '../../../src/protocol/jobs.ts';
import { costsOf, type EmbeddingOverride, type KvCache, requested } from '../../engine/network.ts';
import { activationBytes } from '../../kernels/batch-plan.ts';
import { compared } from '../../kernels/float-arrays.ts';
import { marginsOf, rowsFor } from '../../kernels/row-estimates.ts';
import { halvedOnOutOfMemory } from '../../engine/device/guard.ts';
import {
  AGREEMENT,
  computeInfluences,
  type ExplainInput,
  type StartedExplanation,
  type Suppression,
  tokenInfluence,
} from './passes.ts';

type RowChoice = ReturnType<typeof rowsFor>[number];

/** Estimates that take a larger share of the positions or of the time of the exact scores save nothing. */
const TOO_EXPENSIVE = 0.5;
/** Share of the exact cost that `auto` spends on estimates. Measured: docs/benchmarks.md. */
const ESTIMATING = 0.14;
/** With a budget half of it is spent on estimates, and no more than this: exact passes are then worth more. */
const MAX_ESTIMATING = 0.1;
/** The number of sections with the greatest effect that `auto` computes exactly. */
const TOP = 5;
/** Consecutive exact passes that do not change them, after which `auto` stops. Measured: docs/benchmarks.md. */
const MAX_QUIET_PASSES = 5;
/** Passes that are planned together: the results of the first decide whether more follow. */
const MAX_TOGETHER = 16;

/** A suppression that is estimated. Only `setExact` writes `exact`. */
interface EstimatedSuppression extends Suppression, RowChoice {
  /** Estimated scores of the target's tokens. */
  readonly row: Float64Array;
  exact: Float64Array | undefined;
}

/**
 * Estimates every section from few rows, then computes them exactly in order of the estimates' size until the budget is spent,
 * or `auto` stops. Estimates are sent first, and exact scores replace them.
 *
 * @returns with `exact_because`, and no scores, where the network cannot estimate or the prompt is too short to save time
 */
export async function explainWithinBudget(input: StartedExplanation): Promise<NonNullable<ExplainOutput['budget']>> {
  const { sequence, suppressions, original } = input;
  const total = sequence.fed.ids.length;
  const exactCost = suppressions.changed.reduce((sum, each) => sum + costOf(each, input), total);
  const sparse = withChosenRows(input, exactCost);
  const estimatingCost = sparse.reduce((sum, { cost }) => sum + cost, total);
  if (
    estimatingCost > TOO_EXPENSIVE * exactCost ||
    estimatingMs(estimatingCost, input) > TOO_EXPENSIVE * exactMs(input)
  )
    return { spent: 1, exact_because: 'prompt' };
  const estimateRows = await rowEstimator(input);
  if (!estimateRows) return { spent: 1, exact_because: 'model' };
  const found = await estimateRows(sparse);
  const estimates = sparse.map((each, i): EstimatedSuppression => {
    return { ...each, row: tokenInfluence(found[i] ?? [], original.logProbabilities), exact: undefined };
  });
  const whole = estimates.filter(({ isWhole }) => isWhole);
  const rows = whole.map(({ row }) => row);
  if (whole.length > 0) setExact(input, whole, rows);
  const constants = marginConstants(input);
  if (constants) sendEstimates(input, estimates, constants);
  const spent = await computeExactly(input, estimates, { estimatingCost, exactCost, isCalibrated: !!constants });
  if (!constants) sendEstimates(input, estimates);
  return { spent: spent / exactCost, exact_because: null };
}

function costOf({ start }: Suppression, { sequence }: ExplainInput): number {
  return sequence.fed.ids.length - Math.min(start, sequence.ids.length - 1);
}

function exactMs({ passes, suppressions, sequence, model }: StartedExplanation): number {
  const { passMs, positionMs } = costsOf(model.network);
  const total = sequence.fed.ids.length;
  return passes
    .plan(suppressions.changed)
    .reduce((sum, batch) => sum + passMs + batch.suppressions.length * (total - batch.cachedTokens) * positionMs, 0);
}

function estimatingMs(positions: number, { model }: StartedExplanation): number {
  const { passMs, positionMs } = costsOf(model.network);
  return Math.ceil(positions / PACK_ROWS) * passMs + positions * positionMs;
}

function withChosenRows(input: StartedExplanation, exactCost: number): (Suppression & RowChoice)[] {
  const { job, sequence, suppressions, original } = input;
  const { base, changed } = suppressions;
  const changes = changed.map(({ start, factors }) => ({
    start,
    change: factors.map((factor, position) => Math.abs(factor - (base[position] ?? 1))),
  }));
  const choices = rowsFor(changes, original.attention, {
    tokens: sequence.fed.ids.length,
    predicting: sequence.target.ids.length,
    spend: estimatingShare(job) * exactCost,
  });
  return changed.flatMap((each, i) => (choices[i] ? [{ ...each, ...choices[i] }] : []));
}

function estimatingShare({ budget }: ExplainJob): number {
  return budget === 'auto' ? ESTIMATING : Math.min(MAX_ESTIMATING, budget / 2);
}

/** Constants measured with at most the same share of estimates: more make errors smaller. Not valid for pictures. */
function marginConstants({ job, sequence }: ExplainInput): MarginConstants | undefined {
  if (sequence.embeddingOverrides.length > 0) return undefined;
  const { margins } = job.model;
  const measured = margins?.[job.control_log_additive ? 'additive' : 'multiplicative'];
  const constants = measured?.findLast(({ share }) => share <= estimatingShare(job));
  if (!constants || !margins?.lengths) return constants;
  const { from, to, tokens, exponent } = margins.lengths;
  const factor = (tokens / Math.min(to, Math.max(from, sequence.fed.ids.length))) ** exponent;
  return { share: constants.share, whole: constants.whole * factor, tokens: constants.tokens * factor };
}

function sendEstimates(
  { report }: StartedExplanation,
  estimates: readonly EstimatedSuppression[],
  constants?: MarginConstants,
): void {
  const open = estimates.filter(({ exact }) => exact === undefined);
  if (open.length === 0) return;
  const rows = open.map(({ row }) => row);
  report.estimate(open, rows, marginsOf(open, estimates, constants));
}

function setExact(
  { report }: StartedExplanation,
  estimates: readonly EstimatedSuppression[],
  rows: readonly Float64Array[],
): void {
  for (const [i, estimate] of estimates.entries()) estimate.exact = rows[i];
  report.add(estimates, rows);
}

/** Errors needed to know the margin that covers nine in ten. */
const MIN_ERRORS = 9;

/**
 * Computes sections exactly in order of the estimates' size until the budget is spent, or `auto` stops. Those that are needed in
 * any case share passes as in an exact explanation, without computing more sections than one by one.
 *
 * @returns positions computed in all, those of the estimates included
 */
async function computeExactly(
  input: StartedExplanation,
  estimates: readonly EstimatedSuppression[],
  { estimatingCost, exactCost, isCalibrated }: { estimatingCost: number; exactCost: number; isCalibrated: boolean },
): Promise<number> {
  const { budget } = input.job;
  let queue = estimates.filter(({ exact }) => !exact).toSorted((a, b) => sizeOf(b.row) - sizeOf(a.row));
  let [spent, computed, quiet] = [estimatingCost, 0, 0];
  while (queue.length > 0) {
    const least = isCalibrated ? 0 : Math.max(0, MIN_ERRORS - computed);
    const needed = budget === 'auto' ? MAX_QUIET_PASSES - quiet : affordable(queue, budget * exactCost - spent, input);
    const next = queue.slice(0, Math.min(MAX_TOGETHER, Math.max(least, needed)));
    if (next.length === 0) break;
    spent += await computeInfluences(input, next, (batch, rows) => setExact(input, batch, rows));
    computed += next.length;
    for (const { exact } of next) quiet = isAmongGreatest(exact, estimates) ? 0 : quiet + 1;
    queue = queue.slice(next.length);
  }
  return spent;
}

function affordable(queue: readonly Suppression[], positions: number, input: ExplainInput): number {
  let left = positions;
  const beyond = queue.findIndex((each) => (left -= costOf(each, input)) < 0);
  return beyond < 0 ? queue.length : beyond;
}

function isAmongGreatest(exact: Float64Array | undefined, estimates: readonly EstimatedSuppression[]): boolean {
  const size = sizeOf(exact);
  return estimates.filter((other) => other.exact && sizeOf(other.exact) > size).length < TOP;
}

/** Effect on the whole target, whatever its sign. */
function sizeOf(row: Float64Array | undefined): number {
  return Math.abs(row?.reduce((sum, score) => sum + score, 0) ?? 0);
}

/** Rows that one pass computes: enough for efficient matrix products, few compared with what each of them attends to. */
const PACK_ROWS = 192;
const BUDGET_BYTES = 24 * 2 ** 20;

/** Rows of the prompt that are computed again to check whether the network respects positions and hidden columns. */
const CHECKED = [0, 1, 2, 5] as const;

interface SparseRows {
  /** Factors of all positions, float64 `[fed ids]`. */
  readonly factors: Float64Array;
  /** Positions that are computed again, ascending, before those that predict, which always are. */
  readonly rows: readonly number[];
}

/**
 * Passes over a few rows after the keys and values of all positions. The rows of several suppressions share one sequence and do
 * not see one another, so that keys and values exist once; each row hides the old ones of its suppression's positions.
 *
 * @returns a function that estimates the log-probabilities of the target for each suppression, as if every row that is not
 *   computed again stayed as without it, with a checkpoint before each pass; null where every score must be computed exactly:
 *   the network does not take positions or share its KV cache, or these passes do not reproduce the unmodified one
 */
export async function rowEstimator(
  input: StartedExplanation,
): Promise<((suppressions: readonly SparseRows[]) => Promise<readonly Float32Array[]>) | null> {
  const { sequence, suppressions, context, original } = input;
  const { shape } = input.model.network;
  const { kvCache, logProbabilities } = original;
  if (!shape.takesPositions || !shape.sharesKvCache || !kvCache) return null;
  const [total, predicting] = [sequence.fed.ids.length, sequence.target.ids.length];
  const estimated = (some: readonly SparseRows[]) =>
    halvedOnOutOfMemory(some, (part) => runPacked(input, part, kvCache));
  const fits = (rows: number, members: number) =>
    rows <= PACK_ROWS && activationBytes(shape, rows, total + rows, members * predicting) <= BUDGET_BYTES;
  /** The number of leading suppressions that share a pass. */
  const together = (some: readonly SparseRows[]) => {
    let rows = 0;
    const count = some.findIndex((each, i) => !fits((rows += each.rows.length + predicting), i + 1));
    return count < 0 ? some.length : Math.max(1, count);
  };

  const unmodified = { factors: suppressions.base, rows: CHECKED.filter((row) => row < sequence.ids.length - 1) };
  const again = await estimated([unmodified, { ...unmodified, rows: [] }]);
  if (!again.every((each) => compared(each, logProbabilities, AGREEMENT).agrees)) return null;
  return async (all) => {
    const found: Float32Array[] = [];
    while (found.length < all.length) {
      await context.checkpoint();
      const rest = all.slice(found.length);
      found.push(...(await estimated(rest.slice(0, together(rest)))));
    }
    return found;
  };
}

async function runPacked(
  { sequence, suppressions, model: { network } }: ExplainInput,
  sparse: readonly SparseRows[],
  kvCache: KvCache,
): Promise<Float32Array[]> {
  const { ids } = sequence.fed;
  const targets = sequence.target.ids;
  const packed = packedRows(sparse, { first: sequence.ids.length - 1, total: ids.length });
  const answer = await network.run({
    batch: 1,
    ids: packed.positions.map((position) => ids[position] ?? 0),
    embeddingOverrides: packedOverrides(packed.positions, sequence, network.shape.width),
    cached: { kvCache, tokens: ids.length },
    perturbation: { mode: suppressions.mode, factors: packed.factors, layout: packed },
    rows: sparse.length * targets.length,
    targets: Int32Array.from({ length: sparse.length * targets.length }, (_, i) => targets[i % targets.length] ?? 0),
  });
  const logProbabilities = requested(answer.logProbabilities);
  return sparse.map((_, i) => logProbabilities.subarray(i * targets.length, (i + 1) * targets.length));
}

/** Rows of pictures, at their positions in a packed sequence, which follows all fed positions. */
function packedOverrides(
  positions: Int32Array,
  { embeddingOverrides, fed }: ExplainInput['sequence'],
  width: number,
): EmbeddingOverride[] {
  return embeddingOverrides.flatMap(({ position: first, rows }) =>
    [...positions].flatMap((position, at) => {
      const row = (position - first) * width;
      const isIn = row >= 0 && row < rows.length;
      return isIn ? [{ position: fed.ids.length + at, rows: rows.subarray(row, row + width) }] : [];
    }),
  );
}

/** One sequence: the rows of each suppression, and after them all those that predict. */
function packedRows(
  sparse: readonly SparseRows[],
  { first, total }: { first: number; total: number },
): { positions: Int32Array; hidden: Uint8Array; factors: Float64Array } {
  const predicting = Array.from({ length: total - first }, (_, i) => first + i);
  const tokens = sparse.flatMap((of) => of.rows.map((position) => ({ of, position })));
  for (const of of sparse) tokens.push(...predicting.map((position) => ({ of, position })));
  const width = total + tokens.length;
  const hidden = new Uint8Array(tokens.length * width);
  const factors = new Float64Array(tokens.length * width).fill(1);
  tokens.forEach(({ of, position }, at) => {
    const row = at * width;
    hidden.fill(1, row + position + 1, row + width);
    factors.set(of.factors, row);
    for (const replaced of of.rows) hidden[row + replaced] = 1;
    hidden.fill(1, row + first, row + total);
    for (const [earlier, other] of tokens.slice(0, at + 1).entries()) {
      if (other.of !== of) continue;
      hidden[row + total + earlier] = 0;
      factors[row + total + earlier] = of.factors[other.position] ?? 1;
    }
  });
  return { positions: Int32Array.from(tokens, ({ position }) => position), hidden, factors };
}
