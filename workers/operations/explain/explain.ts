import type { ExplainedPlan, ExplainedSection, ExplainJob, ExplainOutput } from '../../../src/protocol/jobs.ts';
import { sectionsOfItems } from '../../kernels/text-sections.ts';
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
import { createReport } from './report.ts';

/**
 * Influence of every section of the prompt on each token of the target, and of the foil where there is one: AtMan.
 *
 * One unmodified pass leaves its keys and values; then the sections follow, several to a pass, each with the attention paid to
 * its positions scaled. A change at a position cannot reach those before it, so a pass starts at its first change. With a
 * budget the least important sections are only estimated, where the network allows it. Other methods delete sections.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source AtMan, arXiv:2301.08110, section 3; contract facts §2
 */
export async function explain(
  job: ExplainJob,
  model: ExplainInput['model'],
  context: ExplainInput['context'],
): Promise<ExplainOutput> {
  if (job.method !== 'attention') {
    const { explainByAblationHere } = await import('./ablation/local.ts'); // loaded when the first job asks for it
    return explainByAblationHere(job, model, context);
  }
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
    return report.finished({ budget, requests: null });
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

/** Tokenises prompt, target and foil. @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY */
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
  const ofPrompt = sectionsOfItems(items, job.prompt_granularity, job.explained_items);
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
