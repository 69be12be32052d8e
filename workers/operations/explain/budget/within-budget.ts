import type { ExplainJob } from '../../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../../engine/engine.ts';
import { influenceOf } from '../../../kernels/influence.ts';
import { nearbyRowScores, rowScores } from '../../../kernels/row-scores.ts';
import type { JobContext } from '../../context.ts';
import { inFittingParts } from '../../fitting.ts';
import { fedIds } from '../../prompt/target-sequence.ts';
import type { Report } from '../report.ts';
import { type Estimate, LEAST_ERRORS, marginsOf } from './margin.ts';
import { type Choice, chooseRows } from './row-choice.ts';
import type { RowSparse } from './row-sparse.ts';
import { type Estimable, usableRows } from './usable-rows.ts';

/** The sections with the greatest effect that `auto` wants exact. */
const TOP = 5;
/** Exact passes in a row that do not enter them, after which `auto` stops. Measured: docs/benchmarks.md. */
const PATIENCE = 5;
/** Share of the exact cost that `auto` spends on estimates. Measured: docs/benchmarks.md. */
const ESTIMATING = 0.14;
/** With a budget half of it goes into estimates, and no more than this: then exact passes tell more. */
const MOST_ESTIMATING = 0.1;
/** Where estimates alone cost this share of exact scores, there is nothing to gain. */
const TOO_DEAR = 0.5;

/** What an explanation within a budget works on. */
interface Work {
  readonly subject: Estimable;
  readonly job: ExplainJob;
  readonly report: Report;
  readonly context: JobContext;
  /** Positions that an exact pass computes for each member. */
  readonly costs: readonly number[];
  /** The exact explanation, in positions. */
  readonly whole: number;
}

/**
 * Estimates every section from few rows, then computes them exactly in order of the estimates' size until the budget is spent,
 * or as long as the greatest change. Estimates are told first, and exact scores take their place.
 *
 * @returns false, with nothing done, where the network cannot estimate or the prompt is too short to gain by it
 */
export async function explainWithin(
  subject: Estimable,
  job: ExplainJob,
  model: LoadedModel,
  { report, context }: { readonly report: Report; readonly context: JobContext },
): Promise<boolean> {
  const [total, latest] = [fedIds(subject.sequence).length, subject.sequence.ids.length - 1];
  const costs = subject.suppressions.changed.map(({ start }) => total - Math.min(start, latest));
  const whole = costs.reduce((sum, cost) => sum + cost, total);
  const work = { subject, job, report, context, costs, whole };
  const choices = choicesFor(work);
  const spent = choices.reduce((sum, { cost }) => sum + cost, total);
  if (spent > TOO_DEAR * whole) return false;
  const usable = await usableRows(subject, job, model);
  if (!usable) return false;
  const estimates = await estimated(work, choices, usable);
  const exact = choices.flatMap(({ isWhole }, member) => (isWhole ? [member] : []));
  tellExact(work, exact, estimates);
  const constants = marginConstants(job);
  const open = () => [...estimates.keys()].filter((member) => estimates[member]?.exact === undefined);
  if (constants) tellEstimates(work, open(), estimates);
  await computeExactly(work, estimates, spent);
  if (!constants) tellEstimates(work, open(), estimates);
  return true;
}

/** Share of the exact cost that goes into estimates. */
function estimatingShare({ budget }: ExplainJob): number {
  return budget === 'auto' ? ESTIMATING : Math.min(MOST_ESTIMATING, budget / 2);
}

/** Those measured with at most as much spent on estimates: more makes errors smaller. */
function marginConstants(job: ExplainJob) {
  const measured = job.model.margins?.[job.controls.logAdditive ? 'additive' : 'multiplicative'];
  return measured?.findLast(({ share }) => share <= estimatingShare(job));
}

/** Rows for each member. */
function choicesFor({ subject: { sequence, suppressions, passes }, job, whole }: Work): Choice[] {
  const [count, predicting] = [sequence.ids.length - 1, sequence.target.ids.length];
  const starts = suppressions.changed.map(({ start }) => Math.min(start, count));
  const changes = suppressions.changed.map(({ start, factors }) => ({
    start,
    change: factors.map((factor, at) => Math.abs(factor - (suppressions.base[at] ?? 1))),
  }));
  const scores = passes.attention
    ? rowScores(passes.attention, fedIds(sequence).length, changes)
    : nearbyRowScores(count, starts);
  return chooseRows(scores, starts, { spend: estimatingShare(job) * whole, predicting });
}

/** Members in order; those whose rows are all that they can change are exact. */
async function estimated(
  { subject: { suppressions, passes }, context }: Work,
  choices: readonly Choice[],
  { sparse, cached }: NonNullable<Awaited<ReturnType<typeof usableRows>>>,
): Promise<Estimated[]> {
  const asked = choices.map(({ rows }, member) => ({
    rows,
    factors: suppressions.changed[member]?.factors ?? suppressions.base,
  }));
  const found: Estimated[] = [];
  while (found.length < asked.length) {
    await context.checkpoint();
    const part = firstOf(asked.slice(found.length), sparse);
    for (const answer of await sparse.estimate(part, cached)) {
      const { isWhole = false, left = 0 } = choices[found.length] ?? {};
      const row = influenceOf(answer, passes.original);
      found.push({ row, left, exact: isWhole ? row : undefined });
    }
  }
  return found;
}

type Estimated = { -readonly [Key in keyof Estimate]: Estimate[Key] };

function firstOf(asked: Parameters<RowSparse['estimate']>[0], sparse: RowSparse) {
  return asked.slice(0, sparse.together(asked));
}

/** Exact passes in order of the estimates' size, one after the other: each may be the last. */
async function computeExactly(work: Work, estimates: readonly Estimated[], alreadySpent: number): Promise<void> {
  const { subject, job, context, costs, whole } = work;
  const { passes, suppressions, sequence } = subject;
  const order = [...estimates.keys()].sort((a, b) => sizeOf(estimates[b]?.row) - sizeOf(estimates[a]?.row));
  const least = marginConstants(job) ? 0 : LEAST_ERRORS;
  let [spent, quiet, computed] = [alreadySpent, 0, 0];
  for (const member of order) {
    const estimate = estimates[member];
    if (!estimate || estimate.exact) continue;
    const cost = costs[member] ?? 0;
    const isOver = job.budget === 'auto' ? quiet >= PATIENCE : spent + cost > job.budget * whole;
    if (isOver && computed >= least) break;
    await context.checkpoint();
    const start = Math.min(suppressions.changed[member]?.start ?? 0, sequence.ids.length - 1);
    const batch = { cachedTokens: start, members: [member] };
    const [row] = await inFittingParts(batch.members, (members) => passes.suppressed({ ...batch, members }));
    estimate.exact = influenceOf(row ?? [], passes.original);
    spent += cost;
    computed++;
    quiet = isAmongGreatest(member, estimates) ? 0 : quiet + 1;
    tellExact(work, [member], estimates);
  }
}

/** Among the exact ones. */
function isAmongGreatest(member: number, estimates: readonly Estimated[]): boolean {
  const size = sizeOf(estimates[member]?.exact);
  return estimates.filter(({ exact }) => exact && sizeOf(exact) > size).length < TOP;
}

function tellExact({ subject, report }: Work, members: readonly number[], estimates: readonly Estimated[]): void {
  if (members.length === 0) return;
  report.add(
    members.flatMap((member) => subject.suppressions.changed[member]?.section ?? []),
    members.flatMap((member) => estimates[member]?.exact ?? []),
  );
  report.tell();
}

function tellEstimates(
  { subject, report, job }: Work,
  members: readonly number[],
  estimates: readonly Estimated[],
): void {
  const own = members.flatMap((member) => estimates[member] ?? []);
  if (own.length === 0) return;
  report.estimate(
    members.flatMap((member) => subject.suppressions.changed[member]?.section ?? []),
    own.map(({ row }) => row),
    marginsOf(own, estimates, marginConstants(job)),
  );
  report.tell();
}

/** Effect on the whole target, whatever its sign. */
function sizeOf(row: Float64Array | undefined): number {
  return Math.abs(row?.reduce((sum, score) => sum + score, 0) ?? 0);
}
