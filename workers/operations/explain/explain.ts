import type { ExplainedPlan, ExplainedSection, ExplainJob, ExplainOutput } from '../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { concatenated } from '../../kernels/float-arrays.ts';
import { autoGranularity, partsOfItem } from '../../kernels/text-sections.ts';
import { type JobContext, mapConcurrent } from '../context.ts';
import { type TargetSequence, withTarget } from '../predict.ts';
import { predictingSequence, sequenceControls, withinLimit } from '../prompt/sequence.ts';
import {
  createPasses,
  type ExplainInput,
  influences,
  passInputFor,
  type Report,
  type StartedPasses,
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
export async function explain(job: ExplainJob, model: LoadedModel, context: JobContext): Promise<ExplainOutput> {
  const input = await explainInput(job, model, context);
  const { changed, unchanged } = input.suppressions;
  const report = createReport(input.plan, context);
  report.add(unchanged, []);
  const started = await startPasses(input);
  try {
    const withinBudget = async () => {
      const { explainWithinBudget } = await import('./budget.ts'); // loaded when the first job has a budget
      return explainWithinBudget({ ...input, ...started, report });
    };
    const budget = job.budget === 1 ? null : await withinBudget();
    if (budget === null || budget.exact_because)
      await mapConcurrent(
        started.passes.plan(changed),
        { context, width: model.network.inFlight },
        async (batch, signal) => {
          const rows = await influences(started, batch, signal);
          report.add(
            batch.suppressions.map(({ section }) => section),
            rows,
          );
          report.send();
        },
      );
    return report.finished(budget);
  } finally {
    started.original.kvCache?.release();
  }
}

/** Runs the unmodified pass. The code for a foil is loaded when the first job has one. */
async function startPasses(input: ExplainInput): Promise<StartedPasses> {
  const { job, model, context, sequence, suppressions, foil } = input;
  const showsAttention = job.budget !== 1 && isAttentionShown(input);
  const passes = createPasses(passInputFor(sequence, suppressions), model.network, {
    signal: context.signal,
    showsAttention,
  });
  const original = await passes.original();
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
async function explainInput(job: ExplainJob, model: LoadedModel, context: JobContext): Promise<ExplainInput> {
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
  return { job, model, context, sequence, foil, plan, suppressions };
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
  model: LoadedModel,
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

function createReport(plan: ExplainedPlan, context: JobContext): Report {
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const influence = new Float64Array(plan.sections.length * width);
  let unsent: number[] = [];
  let done = 0;
  let given: ExplainOutput['estimated'] = null;
  const estimated = new Set<number>(); // sections without an exact row
  const set = (sections: readonly number[], rows: readonly Float64Array[]) => {
    sections.forEach((section, i) => influence.set(rows[i] ?? [], section * width));
    unsent.push(...sections);
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
    add(sections, rows) {
      set(sections, rows);
      for (const section of sections) estimated.delete(section);
      done += sections.length;
    },
    estimate(sections, rows, margins) {
      set(sections, rows);
      for (const section of sections) estimated.add(section);
      given = { sections, margins };
    },
    send() {
      if (!context.listens) return;
      const rows = new Float64Array(unsent.length * width);
      unsent.forEach((section, i) => rows.set(influence.subarray(section * width, (section + 1) * width), i * width));
      const explained = { plan, sections: unsent, influence: rows, estimated: estimatesIn(new Set(unsent)) };
      context.progress({ phase: 'run', done, total: plan.sections.length, explained });
      unsent = [];
    },
    finished: (budget) => ({ ...plan, influence, estimated: estimatesIn(estimated), budget }),
  };
}
