import { FailureError } from '../../../../src/contract/failure.ts';
import type { ExplainMethod } from '../../../../src/contract/explain.ts';
import type { ExplainOutput, Margins } from '../../../../src/protocol/jobs.ts';
import { contributions, meansOf, meansWithMargins, orderPairs, subsetsAlong } from '../../../kernels/shapley.ts';
import { fitSparseLinear, isComplete, randomSubsets } from '../../../kernels/sparse-linear.ts';
import { createReport, type Report } from '../report.ts';
import { type AblationInput, createRequests, type Requests } from './likelihoods.ts';
import { coveringRatio } from '../../../kernels/row-estimates.ts';
import { sentencesOf, textSections } from '../../../kernels/text-sections.ts';
import { concatenated } from '../../../kernels/float-arrays.ts';
import { tokenInfluence } from '../passes.ts';

/** What a method costs by default, and how it works. */
interface AblationMethod {
  /** Requests where the job does not say how many. */
  requests(sections: number): number;
  /** It never makes more requests than these; else only the number of subsets limits them. */
  readonly isFixed?: boolean;
  score(run: AblationRun): Promise<void>;
}

const METHODS: Readonly<Record<Exclude<ExplainMethod, 'attention'>, AblationMethod>> = {
  deletion: { requests: (sections) => sections + 1, isFixed: true, score: scoreByDeletion },
  insertion: { requests: (sections) => sections + 2, isFixed: true, score: scoreByInsertion },
  sparse_linear: { requests: () => SPARSE_REQUESTS, score: scoreBySparseLinear },
  shapley: { requests: (sections) => shapleyRequests(sections, SHAPLEY_PAIRS), score: scoreByShapley },
};

/**
 * Explains a target by deleting sections: a score is the rise of its cross entropy in nats without a section, as a mean over subsets
 * of the other sections, or without all others, where the method says so. Needs only likelihoods.
 *
 * @throws {FailureError} INVALID_REQUEST where the requests do not suffice, and what the source throws
 */
export async function explainByAblation(input: AblationInput): Promise<ExplainOutput> {
  const { job, plan, context } = input;
  if (job.method === 'attention') throw new RangeError('expected a method by ablation');
  const method = METHODS[job.method];
  const sections = plan.sections.length;
  const most = job.max_requests ?? method.requests(sections);
  // No method asks for the same subset twice.
  const planned = Math.min(most, 2 ** sections, method.isFixed ? method.requests(sections) : Infinity);
  const requests = createRequests(input, planned);
  const report = createReport(plan, [], context, requests.counts);
  if (sections > 0) {
    input.source.checkPlan?.(planned);
    await method.score({ ...input, requests, report, most });
  }
  return report.finished({ budget: null, requests: requests.counts().done });
}

/** Keeps each section by itself. @throws {FailureError} INVALID_REQUEST where the requests do not suffice */
async function scoreByInsertion({ requests, report, plan, most }: AblationRun): Promise<void> {
  const sections = plan.sections.map((_, section) => ({ section }));
  const least = METHODS.insertion.requests(sections.length);
  if (most < least)
    throw new FailureError(
      'INVALID_REQUEST',
      `max_requests: expected at least ${least} for each of ${sections.length} sections alone, got ${most}`,
    );
  const none = new Uint8Array(sections.length);
  const [without = none, ...alone] = await requests.rows([
    none,
    ...sections.map(({ section }) => none.with(section, 1)),
  ]);
  report.add(
    sections,
    alone.map((row) => tokenInfluence(without, row)),
  );
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

/** An explanation by ablation, and what it may spend. */
interface AblationRun extends AblationInput {
  readonly requests: Requests;
  readonly report: Report;
  /** Requests at most. */
  readonly most: number;
}

/**
 * Deletes each section by itself. Where that takes too many requests, groups of neighbouring sections are deleted, and the group
 * with the greatest effect is opened, until no request is left; sections in groups that stay closed get an equal share of the
 * group's score, with a margin from the sections of the groups that were opened.
 *
 * @throws {FailureError} INVALID_REQUEST where the requests do not suffice for one section
 */
async function scoreByDeletion(run: AblationRun): Promise<void> {
  const { plan, most } = run;
  const count = plan.sections.length;
  if (count < most)
    return void (await measured(
      run,
      Array.from({ length: count }, (_, at) => sectionGroup(at)),
    ));
  const roots = groupsOf(run);
  const least = 1 + roots.length + Math.max(...roots.map(costToSection));
  if (most < least)
    throw new FailureError(
      'INVALID_REQUEST',
      `max_requests: expected at least ${least} for ${count} sections, got ${most}`,
    );
  await openWithin(run, await measured(run, roots));
}

/** Sections that are deleted together; without parts one section. */
interface Group {
  readonly sections: readonly number[];
  readonly parts: readonly Group[];
}

/** A group with its score. */
interface MeasuredGroup {
  readonly group: Group;
  /** Float64 `[columns]`. */
  readonly row: Float64Array;
}

/** Opens groups in order of their effect; until the first section is known, only parts of the group that was opened last. */
async function openWithin(run: AblationRun, roots: readonly MeasuredGroup[]): Promise<void> {
  const { requests, most } = run;
  let [closed, last] = [[...roots], roots];
  const errors: Float64Array[] = [];
  for (;;) {
    const left = most - requests.counts().done;
    const canOpen = ({ group: { parts } }: MeasuredGroup) => parts.length > 0 && parts.length <= left;
    const next = greatest((errors.length > 0 ? closed : last).filter(canOpen));
    if (!next) return;
    last = await measured(run, next.group.parts);
    const share = shareOf(next);
    for (const { group, row } of last)
      if (group.parts.length === 0) errors.push(row.map((score, column) => Math.abs(score - (share[column] ?? 0))));
    closed = closed.filter((each) => each !== next).concat(last);
    if (errors.length > 0) estimateClosed(run, closed, errors);
  }
}

/** Deletes each group, and reports those that are one section. */
async function measured({ requests, report, plan }: AblationRun, groups: readonly Group[]): Promise<MeasuredGroup[]> {
  const all = new Uint8Array(plan.sections.length).fill(1);
  const [whole = new Float64Array(0)] = await requests.rows([all]);
  const subsets = groups.map(({ sections }) => all.map((_, section) => Number(!sections.includes(section))));
  const rows = await requests.rows(subsets, (row, at) => {
    const { sections: [section = 0] = [], parts = [] } = groups[at] ?? {};
    if (parts.length === 0) report.add([{ section }], [tokenInfluence(row, whole)]);
  });
  return groups.map((group, at) => ({ group, row: tokenInfluence(rows[at] ?? [], whole) }));
}

function greatest(groups: readonly MeasuredGroup[]): MeasuredGroup | undefined {
  const size = ({ row }: MeasuredGroup) => Math.abs(row.reduce((sum, score) => sum + score, 0));
  return groups.toSorted((a, b) => size(b) - size(a))[0];
}

function shareOf({ group, row }: MeasuredGroup): Float64Array {
  return row.map((score) => score / group.sections.length);
}

/** @param errors  of sections that were estimated and then measured, float64 `[columns]` each */
function estimateClosed(
  { report }: AblationRun,
  closed: readonly MeasuredGroup[],
  errors: readonly Float64Array[],
): void {
  const open = closed.filter(({ group }) => group.parts.length > 0);
  const sections = open.flatMap(({ group }) => group.sections.map((section) => ({ section })));
  const rows = open.flatMap((each) => each.group.sections.map(() => shareOf(each)));
  const margin = Float64Array.from(errors[0] ?? [], (_, column) =>
    coveringRatio(errors.map((own) => own[column] ?? 0)),
  );
  if (sections.length > 0) report.estimate(sections, rows, marginsFrom(sections.map(() => margin)));
}

/** @param tokens  for each section, float64 `[columns]` */
function marginsFrom(tokens: readonly Float64Array[]): Margins {
  const whole = Float64Array.from(tokens, (own) => own.reduce((sum, margin) => sum + margin, 0)); // errors may add up
  return { isCalibrated: false, whole, tokens: concatenated(tokens) };
}

/** Parts of a group at most: opening one costs as many requests. */
const MOST_PARTS = 8;

function sectionGroup(section: number): Group {
  return { sections: [section], parts: [] };
}

/** Paragraphs, their sentences, and the sections of those; what has too many parts is divided evenly. */
function groupsOf({ job, plan }: AblationRun): Group[] {
  const starts = job.prompt.items.map((item) => {
    const text = item.type === 'text' ? item.text : '';
    return { paragraphs: textSections({ text, spans: [] }, { type: 'paragraph' }), sentences: sentencesOf(text) };
  });
  const keyOf = (section: number, level: Level) => {
    const { item = 0, span } = plan.sections[section] ?? {};
    return `${item} ${starts[item]?.[level].findLastIndex(({ start }) => span && start <= span.start)}`;
  };
  const nested = (sections: readonly number[], [level, ...finer]: readonly Level[]): Group[] => {
    if (level === undefined) return divided(sections.map(sectionGroup));
    const together = new Map<string, number[]>();
    for (const section of sections) {
      const key = keyOf(section, level);
      together.set(key, [...(together.get(key) ?? []), section]);
    }
    return divided([...together.values()].map((own) => groupOf(nested(own, finer))));
  };
  return nested([...plan.sections.keys()], ['paragraphs', 'sentences']);
}

/** Parts of a text, from coarse to fine. */
type Level = 'paragraphs' | 'sentences';

function groupOf(parts: readonly Group[]): Group {
  const [only] = parts;
  return only && parts.length === 1 ? only : { sections: parts.flatMap(({ sections }) => sections), parts };
}

function divided(parts: readonly Group[]): Group[] {
  if (parts.length <= MOST_PARTS) return [...parts];
  const size = Math.ceil(parts.length / MOST_PARTS);
  const starts = Array.from({ length: Math.ceil(parts.length / size) }, (_, at) => at * size);
  return starts.map((start) => groupOf(divided(parts.slice(start, start + size))));
}

/** Requests until a section of the group is known, at most. */
function costToSection({ parts }: Group): number {
  return parts.length === 0 ? 0 : parts.length + Math.max(...parts.map(costToSection));
}
