import type { ExplainedPlan, ExplainedSection, ExplainJob, ExplainOutput } from '../../../src/protocol/jobs.ts';
import { concatenated } from '../../kernels/float-arrays.ts';
import { autoGranularity, partsOfItem } from '../../kernels/text-sections.ts';
import { type TargetSequence, withTarget } from '../predict.ts';
import { predictingSequence, sequenceControls, withinLimit } from '../prompt/sequence.ts';
import {
  computeInfluences,
  createPasses,
  type ExplainInput,
  passInputFor,
  type StartedExplanation,
  type Suppression,
  type Suppressions,
} from './passes.ts';

/**
 * Influence of every section of the prompt on each token of the target, and of the foil where there is one: AtMan.
 *
 * One unmodified pass leaves its keys and values; then the sections follow, several to a pass, each with the attention paid to
 * its positions scaled. A change at a position cannot reach those before it, so a pass starts at its first change. With a
 * budget the least important sections are only estimated, where the network allows it.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source AtMan, arXiv:2301.08110, section 3; contract facts §2
 */
export async function explain(
  job: ExplainJob,
  model: ExplainInput['model'],
  context: ExplainInput['context'],
): Promise<ExplainOutput> {
  const input = await explainInput(job, model, context);
  const started = { ...input, ...(await startPasses(input)) };
  const { report, suppressions } = input;
  try {
    const withinBudget = async () => {
      const { explainWithinBudget } = await import('./budget.ts'); // loaded when the first job has a budget
      return explainWithinBudget(started);
    };
    const budget = job.budget === 1 ? null : await withinBudget();
    if (budget === null || budget.exact_because)
      await computeInfluences(started, suppressions.changed, (batch, rows) => report.add(batch, rows));
    return report.finished(budget);
  } finally {
    started.original.kvCache?.release();
  }
}

/** Runs the unmodified pass. The code for a foil is loaded when the first job has one. */
async function startPasses(input: ExplainInput): Promise<Pick<StartedExplanation, 'passes' | 'original'>> {
  const { job, model, sequence, suppressions, foil } = input;
  const passes = createPasses(passInputFor(sequence, suppressions), model.network);
  const original = await passes.original({ showsAttention: job.budget !== 1 && isAttentionShown(input) });
  if (!foil) return { passes, original };
  try {
    const { withFoil } = await import('./contrast.ts');
    const ofPrompt = input.plan.sections.filter(({ item }) => item < sequence.items.length);
    const ofFoil = await suppressionsOf(foil, ofPrompt, job, model);
    return await withFoil({ ...input, foil, passes, original }, ofFoil);
  } catch (error) {
    original.kvCache?.release();
    throw error;
  }
}

/** Attention of more than this is not fetched: it grows with the square of the prompt. */
const MAX_ATTENTION_BYTES = 64 * 2 ** 20;

function isAttentionShown({ sequence, model }: ExplainInput): boolean {
  const { shape, backend } = model.network;
  if (!shape.showsAttention || backend.kind === 'remote') return false; // a remote engine would have to send it
  return 4 * (shape.layers - 1) * sequence.fed.ids.length ** 2 <= MAX_ATTENTION_BYTES;
}

/**
 * Tokenises prompt, target and foil, and suppresses each section.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
async function explainInput(
  job: ExplainJob,
  model: ExplainInput['model'],
  context: ExplainInput['context'],
): Promise<ExplainInput> {
  const prompt = await predictingSequence(job.prompt, model);
  const sequence = withTarget(prompt, { text: job.target, path: 'target' }, model);
  const foil = typeof job.foil !== 'string' ? null : withTarget(prompt, { text: job.foil, path: 'foil' }, model);
  const show = (id: number) => model.tokenizer.show(id);
  const plan: ExplainedPlan = {
    sections: sectionsOf(sequence, job),
    targetTokens: sequence.target.ids.map(show),
    foilTokens: foil?.target.ids.map(show) ?? [],
  };
  await context.checkpoint();
  const suppressions = await suppressionsOf(sequence, plan.sections, job, model);
  const report = createReport(plan, suppressions.unchanged, context);
  return { job, model, context, sequence, foil, plan, suppressions, report };
}

/**
 * Sections of all prompt items, in order; then, where they are explained too, the target's tokens but the last, since
 * each influences those after it.
 *
 * @source contract facts §1.5, §2.3
 */
function sectionsOf({ items, target }: TargetSequence, job: ExplainJob): ExplainedSection[] {
  const granularity = job.prompt_granularity ?? autoGranularity(items);
  const ofPrompt = items.flatMap((each, item) => partsOfItem(each, granularity).map((part) => ({ item, ...part })));
  if (job.target_granularity !== 'token') return ofPrompt;
  const ofTarget = target.spans.slice(0, -1).map((span, index) => ({ item: items.length, index, span }));
  return [...ofPrompt, ...ofTarget];
}

/**
 * A section acts as a control on its part of the item does, so that its score can be reproduced with a control. Item controls
 * and a section's own factor multiply; scores are relative to the controlled prompt. Decided here.
 *
 * @throws {FailureError} INVALID_REQUEST where they multiply to more than a factor may be
 */
async function suppressionsOf(
  sequence: TargetSequence,
  sections: readonly ExplainedSection[],
  job: ExplainJob,
  model: ExplainInput['model'],
): Promise<Suppressions> {
  const { mode, factors: base, alone } = await sequenceControls(sequence.fed, job, model);
  const all = sections.map((each, section): Suppression => {
    const factors = alone({ ...each, factor: job.control_factor, overlap: job.control_token_overlap });
    const start = factors.findIndex((value) => value !== 1);
    const products = factors.map((value, position) => value * (base[position] ?? 1));
    return { section, start, factors: withinLimit(products, 'control_factor') };
  });
  return {
    mode,
    base,
    changed: all.filter(({ start }) => start >= 0),
    unchanged: all.filter(({ start }) => start < 0).map(({ section }) => section),
  };
}

/** @param unchanged  sections without influence, which are known from the start */
function createReport(
  plan: ExplainedPlan,
  unchanged: readonly number[],
  { listens, progress }: ExplainInput['context'],
): ExplainInput['report'] {
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const influence = new Float64Array(plan.sections.length * width);
  let unsent = [...unchanged];
  let done = unchanged.length;
  let given: ExplainOutput['estimated'] = null;
  const estimated = new Set<number>(); // sections without an exact row
  const set = (sections: readonly number[], rows: readonly Float64Array[]) => {
    sections.forEach((section, i) => influence.set(rows[i] ?? [], section * width));
    unsent.push(...sections);
  };
  const send = () => {
    if (!listens) return;
    const rows = new Float64Array(unsent.length * width);
    unsent.forEach((section, i) => rows.set(influence.subarray(section * width, (section + 1) * width), i * width));
    const explained = { plan, sections: unsent, influence: rows, estimated: estimatesIn(new Set(unsent)) };
    progress({ phase: 'run', done, total: plan.sections.length, explained });
    unsent = [];
  };
  /** The estimates among the sections; null for none. */
  const estimatesIn = (wanted: ReadonlySet<number>): ExplainOutput['estimated'] => {
    if (!given) return null;
    const { isCalibrated, whole, tokens } = given.margins;
    const { length } = plan.targetTokens;
    const found = given.sections
      .map((section, row) => ({ section, row }))
      .filter(({ section }) => estimated.has(section) && wanted.has(section));
    if (found.length === 0) return null;
    return {
      sections: found.map(({ section }) => section),
      margins: {
        isCalibrated,
        whole: Float64Array.from(found, ({ row }) => whole[row] ?? 0),
        tokens: concatenated(found.map(({ row }) => tokens.subarray(row * length, (row + 1) * length))),
      },
    };
  };
  return {
    add(suppressions, rows) {
      const sections = suppressions.map(({ section }) => section);
      set(sections, rows);
      for (const section of sections) estimated.delete(section);
      done += sections.length;
      send();
    },
    estimate(suppressions, rows, margins) {
      const sections = suppressions.map(({ section }) => section);
      set(sections, rows);
      for (const section of sections) estimated.add(section);
      given = { sections, margins };
      send();
    },
    finished: (budget) => ({ ...plan, influence, estimated: estimatesIn(estimated), budget }),
  };
}
