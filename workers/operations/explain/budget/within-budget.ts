import type { BudgetUse, ExplainJob } from '../../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../../engine/engine.ts';
import { influenceOf } from '../../../kernels/influence.ts';
import { nearbyRowScores, rowScores } from '../../../kernels/row-scores.ts';
import { computeExactly } from './exact-passes.ts';
import { type Choice, chooseRows } from './row-choice.ts';
import type { RowSparse } from './row-sparse.ts';
import { type Estimable, usableRows } from './usable-rows.ts';
import {
  type Estimated,
  estimatingShare,
  marginConstants,
  openIn,
  tellEstimates,
  tellExact,
  type Work,
} from './work.ts';

/** Where estimates alone cost this share of exact scores, there is nothing to gain. */
const TOO_DEAR = 0.5;

/**
 * Estimates every section from few rows, then computes them exactly in order of the estimates' size until the budget is spent,
 * or as long as the greatest change. Estimates are told first, and exact scores take their place.
 *
 * @returns with `exactBecause`, and nothing done, where the network cannot estimate or the prompt is too short to gain by it
 */
export async function explainWithin(
  subject: Estimable,
  job: ExplainJob,
  model: LoadedModel,
  telling: Pick<Work, 'report' | 'context'>,
): Promise<BudgetUse> {
  const [total, latest] = [subject.sequence.fed.ids.length, subject.sequence.ids.length - 1];
  const costs = subject.suppressions.changed.map(({ start }) => total - Math.min(start, latest));
  const whole = costs.reduce((sum, cost) => sum + cost, total);
  const work = { subject, job, ...telling, costs, whole, width: model.network.inFlight };
  const choices = choicesFor(work);
  const spent = choices.reduce((sum, { cost }) => sum + cost, total);
  if (spent > TOO_DEAR * whole) return { spent: 1, exactBecause: 'prompt' };
  const usable = await usableRows(subject, job, model);
  if (!usable) return { spent: 1, exactBecause: 'model' };
  const estimates = await estimated(work, choices, usable);
  const exact = choices.flatMap(({ isWhole }, member) => (isWhole ? [member] : []));
  tellExact(work, exact, estimates);
  const constants = marginConstants(work);
  if (constants) tellEstimates(work, openIn(estimates), estimates);
  const spentInAll = await computeExactly(work, estimates, spent);
  if (!constants) tellEstimates(work, openIn(estimates), estimates);
  return { spent: spentInAll / whole, exactBecause: null };
}

/** Rows for each member. */
function choicesFor({ subject: { sequence, suppressions, passes }, job, whole }: Work): Choice[] {
  const [count, predicting] = [sequence.ids.length - 1, sequence.target.ids.length];
  const starts = suppressions.changed.map(({ start }) => Math.min(start, count));
  const changes = suppressions.changed.map(({ start, factors }) => ({
    start,
    change: factors.map((factor, at) => Math.abs(factor - (suppressions.base[at] ?? 1))),
  }));
  const scores = passes.original.attention
    ? rowScores(passes.original.attention, sequence.fed.ids.length, changes)
    : nearbyRowScores(count, starts);
  return chooseRows(scores, starts, { spend: estimatingShare(job) * whole, predicting });
}

/** Members in order; those whose rows are all that they can change are exact. */
async function estimated(
  { subject: { suppressions, passes }, context }: Work,
  choices: readonly Choice[],
  { sparse, kvCache }: NonNullable<Awaited<ReturnType<typeof usableRows>>>,
): Promise<Estimated[]> {
  const asked = choices.map(({ rows }, member) => ({
    rows,
    factors: suppressions.changed[member]?.factors ?? suppressions.base,
  }));
  const found: Estimated[] = [];
  while (found.length < asked.length) {
    await context.checkpoint();
    const part = firstOf(asked.slice(found.length), sparse);
    for (const answer of await sparse.estimate(part, kvCache)) {
      const { isWhole = false, left = 0 } = choices[found.length] ?? {};
      const row = influenceOf(answer, passes.original.logProbabilities);
      found.push({ row, left, exact: isWhole ? row : undefined });
    }
  }
  return found;
}

function firstOf(asked: Parameters<RowSparse['estimate']>[0], sparse: RowSparse) {
  return asked.slice(0, sparse.together(asked));
}
