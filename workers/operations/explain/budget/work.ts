import type { MarginConstants, MarginLengths } from '../../../../src/models/model.ts';
import type { ExplainJob } from '../../../../src/protocol/target-jobs.ts';
import type { JobContext } from '../../context.ts';
import type { Report } from '../report.ts';
import { sectionsOf } from '../suppressions.ts';
import { type Estimate, marginsOf } from './margin.ts';
import type { Estimable } from './usable-rows.ts';

/** Share of the exact cost that `auto` spends on estimates. Measured: docs/benchmarks.md. */
const ESTIMATING = 0.14;
/** With a budget half of it goes into estimates, and no more than this: then exact passes tell more. */
const MOST_ESTIMATING = 0.1;

/** What an explanation within a budget works on. */
export interface Work {
  readonly subject: Estimable;
  readonly job: ExplainJob;
  readonly report: Report;
  readonly context: JobContext;
  /** Positions that an exact pass computes for each member. */
  readonly costs: readonly number[];
  /** The exact explanation, in positions. */
  readonly whole: number;
  /** Passes that are worth starting at once. Left out: one. */
  readonly width?: (() => number) | undefined;
}

/** An estimate whose exact scores may become known. */
export type Estimated = { -readonly [Key in keyof Estimate]: Estimate[Key] };

/** Share of the exact cost that goes into estimates. */
export function estimatingShare({ budget }: ExplainJob): number {
  return budget === 'auto' ? ESTIMATING : Math.min(MOST_ESTIMATING, budget / 2);
}

/**
 * Those measured with at most as much spent on estimates: more makes errors smaller. They were measured on texts, and say
 * nothing of pictures.
 */
export function marginConstants({ job, subject }: Work): MarginConstants | undefined {
  if (subject.sequence.embeddingOverrides.length > 0) return undefined;
  const { margins } = job.model;
  const measured = margins?.[job.controls.logAdditive ? 'additive' : 'multiplicative'];
  const constants = measured?.findLast(({ share }) => share <= estimatingShare(job));
  if (!constants || !margins?.lengths) return constants;
  const factor = lengthFactor(margins.lengths, subject.sequence.fed.ids.length);
  return { share: constants.share, whole: constants.whole * factor, tokens: constants.tokens * factor };
}

function lengthFactor({ from, to, tokens, exponent }: MarginLengths, length: number): number {
  return (tokens / Math.min(to, Math.max(from, length))) ** exponent;
}

/** Members that are no more than estimates. */
export function openIn(estimates: readonly Estimated[]): number[] {
  return [...estimates.keys()].filter((member) => estimates[member]?.exact === undefined);
}

/** Tells exact scores. */
export function tellExact(
  { subject, report }: Work,
  members: readonly number[],
  estimates: readonly Estimated[],
): void {
  if (members.length === 0) return;
  report.add(
    sectionsOf(subject.suppressions, members),
    members.flatMap((member) => estimates[member]?.exact ?? []),
  );
  report.tell();
}

/** Tells estimates with their margins. */
export function tellEstimates(work: Work, members: readonly number[], estimates: readonly Estimated[]): void {
  const { subject, report } = work;
  const own = members.flatMap((member) => estimates[member] ?? []);
  if (own.length === 0) return;
  report.estimate(
    sectionsOf(subject.suppressions, members),
    own.map(({ row }) => row),
    marginsOf(own, estimates, marginConstants(work)),
  );
  report.tell();
}
