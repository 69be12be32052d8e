import type { ExplainJob } from '../../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../../engine/engine.ts';
import { influenceOf } from '../../../kernels/influence.ts';
import { LEAST_ERRORS, marginOf } from './margin.ts';
import type { JobContext } from '../../context.ts';
import { inFittingParts } from '../../fitting.ts';
import { fedIds } from '../../prompt/target-sequence.ts';
import type { Report } from '../report.ts';
import type { Suppression } from '../suppressions.ts';
import { type Estimable, usableRows } from './usable-rows.ts';

/** The sections with the greatest effect that `auto` wants exact. */
const TOP = 5;
/** Exact passes in a row that do not enter them, after which `auto` stops. Measured: docs/benchmarks.md. */
const PATIENCE = 3;
/** Exact passes between two looks at the rule. */
const CHUNK = 3;

/**
 * Estimates every section from few rows, then computes them exactly in order of the estimates' size until the budget is spent,
 * or as long as the greatest change. At least nine are exact: their errors say how far the others may be off.
 *
 * @returns false, with nothing done, where the network cannot estimate
 */
export async function explainWithin(
  subject: Estimable,
  job: ExplainJob,
  model: LoadedModel,
  { report, context }: { readonly report: Report; readonly context: JobContext },
): Promise<boolean> {
  const usable = await usableRows(subject, job, model);
  if (!usable) return false;
  const { sparse, cached } = usable;
  const { sequence, passes } = subject;
  const { changed } = subject.suppressions;
  const { budget } = job;
  const [total, latest] = [fedIds(sequence).length, sequence.ids.length - 1];
  const costOf = (member: number) => total - Math.min(changed[member]?.start ?? 0, latest);
  const members = [...changed.keys()];
  const whole = members.reduce((sum, member) => sum + costOf(member), total);
  const estimates = new Map<number, Float64Array>();
  for (let at = 0; at < members.length; at += sparse.together) {
    await context.checkpoint();
    const part = members.slice(at, at + sparse.together);
    const rows = await sparse.estimate(part, cached);
    part.forEach((member, i) => estimates.set(member, influenceOf(rows[i] ?? [], passes.original)));
  }
  const order = members.toSorted((a, b) => sizeOf(estimates.get(b)) - sizeOf(estimates.get(a)));
  let spent = total + members.length * sparse.rows;
  const exact = new Map<number, Float64Array>();
  while (exact.size < order.length) {
    const chunk = order.slice(exact.size, exact.size + CHUNK);
    const cost = chunk.reduce((sum, member) => sum + costOf(member), 0);
    const isOver = budget === 'auto' ? isSettled(order, exact) : spent + cost > budget * whole;
    if (exact.size >= LEAST_ERRORS && isOver) break;
    await context.checkpoint();
    for (const member of chunk) {
      const batch = { cachedTokens: Math.min(changed[member]?.start ?? 0, latest), members: [member] };
      const [row] = await inFittingParts(batch.members, (part) => passes.suppressed({ ...batch, members: part }));
      exact.set(member, influenceOf(row ?? [], passes.original));
    }
    spent += cost;
    addTo(report, changed, exact, chunk);
    report.tell();
  }
  const left = order.slice(exact.size);
  const pairs = [...exact].map(([member, row]) => [estimates.get(member) ?? row, row] as const);
  report.estimate(
    left.flatMap((member) => changed[member]?.section ?? []),
    left.flatMap((member) => estimates.get(member) ?? []),
    marginsOf(pairs),
  );
  report.tell();
  return true;
}

function addTo(
  report: Report,
  changed: readonly Suppression[],
  exact: ReadonlyMap<number, Float64Array>,
  members: readonly number[],
): void {
  report.add(
    members.flatMap((member) => changed[member]?.section ?? []),
    members.flatMap((member) => exact.get(member) ?? []),
  );
}

/** Whether the last few exact passes left the greatest ones as they were. */
function isSettled(order: readonly number[], exact: ReadonlyMap<number, Float64Array>): boolean {
  const done = order.filter((member) => exact.has(member));
  const top = new Set(done.toSorted((a, b) => sizeOf(exact.get(b)) - sizeOf(exact.get(a))).slice(0, TOP));
  return done.slice(-PATIENCE).every((member) => !top.has(member));
}

/** Effect on the whole target, whatever its sign. */
function sizeOf(row: Float64Array | undefined): number {
  return Math.abs(sumOf(row ?? new Float64Array(0)));
}

function sumOf(row: Float64Array): number {
  return row.reduce((sum, score) => sum + score, 0);
}

/** Margins of estimates for the whole target and for each of its tokens. */
function marginsOf(pairs: readonly (readonly [estimate: Float64Array, exact: Float64Array])[]) {
  const width = pairs[0]?.[0].length ?? 0;
  const tokens = Float64Array.from({ length: width }, (_, token) =>
    marginOf(pairs.map(([estimate, exact]) => Math.abs((estimate[token] ?? 0) - (exact[token] ?? 0)))),
  );
  return { whole: marginOf(pairs.map(([estimate, exact]) => Math.abs(sumOf(estimate) - sumOf(exact)))), tokens };
}
