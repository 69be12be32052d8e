import type { Explained, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { influenceOf } from '../../kernels/influence.ts';
import type { JobContext } from '../context.ts';
import { inFittingParts } from '../fitting.ts';
import { overlapped } from './overlapped.ts';
import { targetSequence } from '../prompt/target-sequence.ts';
import { createPasses } from './passes.ts';
import { planOf } from './plan.ts';
import { createReport } from './report.ts';
import { suppressionsOf } from './suppressions.ts';

/**
 * Influence of every section of the prompt on each token of the target: AtMan.
 *
 * One unmodified pass keeps its keys and values; then the sections, several to a pass, each with the attention paid to
 * its positions scaled. A change at a position cannot reach those before it, so a pass starts at its first change.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 * @source AtMan, arXiv:2301.08110, section 3; contract facts §2
 */
export async function explain(job: ExplainJob, model: LoadedModel, context: JobContext): Promise<Explained> {
  const sequence = await targetSequence(job.prompt, { text: job.target, path: 'target' }, model);
  const plan = planOf(sequence, job, model.tokenizer);
  await context.checkpoint();
  const { base, changed, without } = await suppressionsOf(sequence, plan.sections, job, model);
  const passes = createPasses(sequence, { base, changed }, passesOptions(job, model, context));
  const report = createReport(plan, context);
  report.add(without, []); // what changes no position has no influence
  const original = await passes.original();
  try {
    await overlapped(passes.plan(), { context, width: model.network.inFlight }, async (batch, signal) => {
      const suppressed = await inFittingParts(batch.members, (members) =>
        passes.suppressed({ ...batch, members }, original.cached, signal),
      );
      const rows = suppressed.map((logProbabilities) => influenceOf(logProbabilities, original.logProbabilities));
      report.add(
        batch.members.flatMap((member) => changed[member]?.section ?? []),
        rows,
      );
      report.tell();
    });
  } finally {
    original.cached?.release();
  }
  return report.finished();
}

function passesOptions({ controls }: ExplainJob, { network }: LoadedModel, { signal }: JobContext) {
  return { controls, network, signal };
}
