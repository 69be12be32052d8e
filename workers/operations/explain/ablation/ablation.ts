import { FailureError } from '../../../../src/contract/failure.ts';
import type { ExplainMethod } from '../../../../src/contract/explain.ts';
import type { ExplainOutput } from '../../../../src/protocol/jobs.ts';
import { contributions, meansOf, meansWithMargins, orderPairs, subsetsAlong } from '../../../kernels/shapley.ts';
import { fitSparseLinear, isComplete, randomSubsets } from '../../../kernels/sparse-linear.ts';
import { createReport } from '../report.ts';
import { type AblationRun, marginsFrom, scoreByDeletion } from './deletion.ts';
import { type AblationInput, createRequests } from './likelihoods.ts';

/** What a method costs by default, and how it works. */
interface AblationMethod {
  /** Requests where the job does not say how many. */
  requests(sections: number): number;
  score(run: AblationRun): Promise<void>;
}

const METHODS: Readonly<Record<Exclude<ExplainMethod, 'attention'>, AblationMethod>> = {
  deletion: { requests: (sections) => sections + 1, score: scoreByDeletion },
  sparse_linear: { requests: () => SPARSE_REQUESTS, score: scoreBySparseLinear },
  shapley: { requests: (sections) => shapleyRequests(sections, SHAPLEY_PAIRS), score: scoreByShapley },
};

/**
 * Explains a target by deleting sections: a score is the rise of its cross entropy in nats, as a mean over subsets of the other
 * sections where the method says so. Needs only likelihoods.
 *
 * @throws {FailureError} INVALID_REQUEST where the requests do not suffice, and what the source throws
 */
export async function explainByAblation(input: AblationInput): Promise<ExplainOutput> {
  const { job, plan, context } = input;
  if (job.method === 'attention') throw new RangeError('expected a method by ablation');
  const method = METHODS[job.method];
  const sections = plan.sections.length;
  const most = job.max_requests ?? method.requests(sections);
  const requests = createRequests(input, most);
  const report = createReport(plan, [], context, requests.counts);
  if (sections > 0) {
    input.source.checkPlan?.(most);
    await method.score({ ...input, requests, report, most });
  }
  return report.finished({ budget: null, requests: requests.counts().done });
}

/** As many as ContextCite takes for faithful scores, and a few more. @source arXiv:2409.00729, section 4 */
const SPARSE_REQUESTS = 64;

/** The first estimates are made of this number of requests, and again whenever it has doubled. */
const FIRST_FIT = 16;

async function scoreBySparseLinear({ requests, report, plan, most }: AblationRun): Promise<void> {
  const subsets = randomSubsets(plan.sections.length, most);
  for (let count = 0; count < subsets.length;) {
    count = Math.min(subsets.length, Math.max(FIRST_FIT, 2 * count));
    const kept = subsets.slice(0, count);
    const rows = await requests.rows(kept);
    const fits = plan.targetTokens.map((_, column) =>
      fitSparseLinear(
        kept,
        rows.map((row) => row[column] ?? NaN),
      ),
    );
    const sections = plan.sections.map((_, section) => ({ section }));
    const effects = sections.map(({ section }) => Float64Array.from(fits, (fit) => fit.effects[section] ?? NaN));
    const margin = Float64Array.from(fits, (fit) => fit.margin);
    if (isComplete(kept)) report.add(sections, effects);
    else report.estimate(sections, effects, marginsFrom(sections.map(() => margin)));
  }
}

/** Pairs of orders by default: fewer have wide margins. */
const SHAPLEY_PAIRS = 4;

/** Subsets of no section and of all, and those between them along each order. */
function shapleyRequests(sections: number, pairs: number): number {
  return 2 + 2 * pairs * (sections - 1);
}

async function scoreByShapley({ requests, report, plan, most }: AblationRun): Promise<void> {
  const count = plan.sections.length;
  const least = shapleyRequests(count, 2);
  if (most < least)
    throw new FailureError(
      'INVALID_REQUEST',
      `max_requests: expected at least ${least} for Shapley values of ${count} sections, got ${most}`,
    );
  const pairs = count === 1 ? 2 : Math.floor((most - 2) / (2 * (count - 1)));
  const [sections, width] = [plan.sections.map((_, section) => ({ section })), plan.targetTokens.length];
  const samples: Float64Array[] = [];
  for (const orders of orderPairs(count, pairs)) {
    const along: Float64Array[] = [];
    for (const order of orders) along.push(contributions(order, await requests.rows(subsetsAlong(order))));
    samples.push(meansOf(along));
    if (samples.length < 2) continue;
    const { means, margins } = meansWithMargins(samples);
    const perSection = (all: Float64Array) =>
      sections.map(({ section }) => all.slice(section * width, (section + 1) * width));
    report.estimate(sections, perSection(means), marginsFrom(perSection(margins)));
  }
}
