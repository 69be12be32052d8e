import type { BudgetUse, Explained, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { influenceOf } from '../../kernels/influence.ts';
import type { JobContext } from '../context.ts';
import { inFittingParts } from '../fitting.ts';
import { predictingSequence } from '../prompt/sequence.ts';
import { withTarget } from '../prompt/target-sequence.ts';
import type { Estimable } from './budget/usable-rows.ts';
import { overlapped } from './overlapped.ts';
import { planOf } from './plan.ts';
import { createReport, type Report } from './report.ts';
import { startPasses } from './start.ts';
import { suppressionsOf } from './suppressions.ts';

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
  const { changed, without } = suppressions;
  const report = createReport(plan, context);
  report.add(without, []); // what changes no position has no influence
  const passes = await startPasses({ sequence, foil, suppressions }, plan, job, { model, signal: context.signal });
  let budget: BudgetUse | null;
  try {
    budget = await within(job, { sequence, suppressions, passes }, model, { report, context });
    if (budget === null || budget.exactBecause)
      await overlapped(passes.plan(), { context, width: model.network.inFlight }, async (batch, signal) => {
        const suppressed = await inFittingParts(batch.members, (members) =>
          passes.suppressed({ ...batch, members }, signal),
        );
        const rows = suppressed.map((logProbabilities) => influenceOf(logProbabilities, passes.original));
        report.add(
          batch.members.flatMap((member) => changed[member]?.section ?? []),
          rows,
        );
        report.tell();
      });
  } finally {
    passes.release();
  }
  return report.finished(budget);
}

/** Explains within the job's budget, by code that is loaded when the first job has one; null without a budget. */
async function within(
  job: ExplainJob,
  subject: Estimable,
  model: LoadedModel,
  telling: { readonly report: Report; readonly context: JobContext },
): Promise<BudgetUse | null> {
  if (job.budget === 1) return null;
  const { explainWithin } = await import('./budget/within-budget.ts');
  return explainWithin(subject, job, model, telling);
}
