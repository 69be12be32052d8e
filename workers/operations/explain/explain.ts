import type { BudgetUse, Explained, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { JobContext } from '../context.ts';
import { predictingSequence } from '../prompt/sequence.ts';
import { withTarget } from '../prompt/target-sequence.ts';
import type { Estimable } from './budget/usable-rows.ts';
import { overlapped } from './overlapped.ts';
import { planOf } from './plan.ts';
import { createReport, type Report } from './report.ts';
import { startPasses } from './start.ts';
import { sectionsOf, suppressionsOf } from './suppressions.ts';

/**
 * Influence of every section of the prompt on each token of the target, and of the foil where there is one: AtMan.
 *
 * One unmodified pass keeps its keys and values; then the sections, several to a pass, each with the attention paid to
 * its positions scaled. A change at a position cannot reach those before it, so a pass starts at its first change. With a
 * budget the least important sections are only estimated, where the network allows it.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source AtMan, arXiv:2301.08110, section 3; contract facts §2
 */
export async function explain(job: ExplainJob, model: LoadedModel, context: JobContext): Promise<Explained> {
  const prompt = await predictingSequence(job.prompt, model);
  const sequence = withTarget(prompt, { text: job.target, path: 'target' }, model);
  const foil = job.foil === null ? null : withTarget(prompt, { text: job.foil, path: 'foil' }, model);
  const plan = planOf(sequence, foil, job, model.tokenizer);
  await context.checkpoint();
  const suppressions = await suppressionsOf(sequence, plan.sections, job, model);
  const report = createReport(plan, context);
  report.add(suppressions.without, []); // what changes no position has no influence
  const passes = await startPasses({ sequence, foil, plan, suppressions }, job, { model, signal: context.signal });
  try {
    const budget = await within({ sequence, suppressions, passes }, job, model, { report, context });
    if (budget === null || budget.exactBecause)
      await overlapped(passes.plan(), { context, width: model.network.inFlight }, async (batch, signal) => {
        report.add(sectionsOf(suppressions, batch.members), await passes.influence(batch, signal));
        report.tell();
      });
    return report.finished(budget);
  } finally {
    passes.release();
  }
}

/** Explains within the job's budget, by code that is loaded when the first job has one; null without a budget. */
async function within(
  subject: Estimable,
  job: ExplainJob,
  model: LoadedModel,
  telling: { readonly report: Report; readonly context: JobContext },
): Promise<BudgetUse | null> {
  if (job.budget === 1) return null;
  const { explainWithin } = await import('./budget/within-budget.ts');
  return explainWithin(subject, job, model, telling);
}
