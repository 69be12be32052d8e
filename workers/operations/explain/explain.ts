import type { Explained, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { influenceOf } from '../../kernels/influence.ts';
import type { JobContext } from '../context.ts';
import { inFittingParts } from '../fitting.ts';
import { predictingSequence } from '../prompt/sequence.ts';
import { fedIds, withTarget } from '../prompt/target-sequence.ts';
import { usableRows } from './budget/usable-rows.ts';
import { explainWithin } from './budget/within-budget.ts';
import { overlapped } from './overlapped.ts';
import { planOf } from './plan.ts';
import { createReport } from './report.ts';
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
  try {
    const sparse = job.budget === 1 ? null : await usableRows({ sequence, suppressions, passes }, job, model);
    if (sparse) {
      const lengths = { total: fedIds(sequence).length, latest: sequence.ids.length - 1 };
      await explainWithin({ changed, passes, ...sparse, ...lengths }, job.budget, { report, context });
    } else
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
  return report.finished();
}
