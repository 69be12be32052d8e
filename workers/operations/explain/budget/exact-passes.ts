import { overlapped } from '../overlapped.ts';
import { LEAST_ERRORS } from './margin.ts';
import { type Estimated, marginConstants, tellExact, type Work } from './work.ts';

/** The sections with the greatest effect that `auto` wants exact. */
const TOP = 5;
/** Exact passes in a row that do not enter them, after which `auto` stops. Measured: docs/benchmarks.md. */
const PATIENCE = 5;
/** Passes that are planned together: the first of them tell what matters before the others begin. */
const MOST_TOGETHER = 16;

/** How far exact passes have come. */
interface State {
  /** Positions computed. */
  spent: number;
  /** Exact passes in a row, in order of the estimates, that are not among the greatest. */
  quiet: number;
  /** Exact passes. */
  computed: number;
}

/**
 * Exact passes in order of the estimates' size until the budget is spent, or `auto` stops. Those that are needed whatever they
 * show share passes as those of an exact explanation do, so that no more are computed than one after the other.
 *
 * @param alreadySpent  positions computed so far
 * @returns             positions computed in all
 */
export async function computeExactly(
  work: Work,
  estimates: readonly Estimated[],
  alreadySpent: number,
): Promise<number> {
  const size = (member: number) => sizeOf(estimates[member]?.row);
  let queue = [...estimates.keys()].filter((member) => !estimates[member]?.exact);
  queue.sort((a, b) => size(b) - size(a));
  const state: State = { spent: alreadySpent, quiet: 0, computed: 0 };
  while (queue.length > 0) {
    const certain = queue.slice(0, Math.min(MOST_TOGETHER, certainIn(queue, work, state)));
    if (certain.length === 0) break;
    state.spent += await computeTogether(work, certain, estimates);
    state.computed += certain.length;
    for (const member of certain) state.quiet = isAmongGreatest(member, estimates) ? 0 : state.quiet + 1;
    queue = queue.slice(certain.length);
  }
  return state.spent;
}

/** How many of the first are computed whatever they show. */
function certainIn(queue: readonly number[], work: Work, { spent, quiet, computed }: State): number {
  const { job, costs, whole } = work;
  const least = marginConstants(work) ? 0 : Math.max(0, LEAST_ERRORS - computed);
  if (job.budget === 'auto') return Math.max(least, PATIENCE - quiet);
  let left = job.budget * whole - spent;
  const beyond = queue.findIndex((member) => (left -= costs[member] ?? 0) < 0);
  return Math.max(least, beyond < 0 ? queue.length : beyond);
}

/** Computes these exactly, and tells each batch. @returns positions computed */
async function computeTogether(
  work: Work,
  members: readonly number[],
  estimates: readonly Estimated[],
): Promise<number> {
  const { subject, context, width } = work;
  const { passes, sequence } = subject;
  const batches = passes.plan(members);
  const total = sequence.fed.ids.length;
  await overlapped(batches, { context, width }, async (batch, signal) => {
    const rows = await passes.influence(batch, signal);
    batch.members.forEach((member, at) => {
      const estimate = estimates[member];
      if (estimate) estimate.exact = rows[at];
    });
    tellExact(work, batch.members, estimates);
  });
  return batches.reduce((sum, batch) => sum + batch.members.length * (total - batch.cachedTokens), 0);
}

/** Among the exact ones. */
function isAmongGreatest(member: number, estimates: readonly Estimated[]): boolean {
  const size = sizeOf(estimates[member]?.exact);
  return estimates.filter(({ exact }) => exact && sizeOf(exact) > size).length < TOP;
}

/** Effect on the whole target, whatever its sign. */
function sizeOf(row: Float64Array | undefined): number {
  return Math.abs(row?.reduce((sum, score) => sum + score, 0) ?? 0);
}
