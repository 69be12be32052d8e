import type { ExplainedPlan, Explained, ExplainJob } from '../../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { influenceOf } from '../../kernels/influence.ts';
import type { JobContext } from '../context.ts';
import { targetSequence, type TargetSequence } from '../prompt/target-sequence.ts';
import { createPasses } from './passes.ts';
import { sectionsOf, type Section } from './sections.ts';
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
  const sections = sectionsOf(sequence, job);
  await context.checkpoint();
  const suppressions = await suppressionsOf(sequence, sections, { controls: job.controls, model });
  const passes = createPasses(sequence, suppressions, { controls: job.controls, network: model.network });
  const report = createReport(planOf(sequence, sections, model), context);
  report.add(suppressions.without, []); // what changes no position has no influence
  const original = await passes.original();
  try {
    for (const batch of passes.plan()) {
      await context.checkpoint();
      const suppressed = await passes.suppressed(batch, original.cached);
      const rows = suppressed.map((logProbabilities) => influenceOf(logProbabilities, original.logProbabilities));
      report.add(batch.members.map(suppressions.sectionAt), rows);
      report.tell();
    }
  } finally {
    original.cached?.release();
  }
  return report.finished();
}

function planOf({ target }: TargetSequence, sections: readonly Section[], { tokenizer }: LoadedModel): ExplainedPlan {
  return {
    sections: sections.map(({ factors: _, ...section }) => section),
    targetTokens: target.ids.map((id) => tokenizer.show(id)),
  };
}

/** Collects rows of influence, and tells a listener what is new since it was told last. */
function createReport(plan: ExplainedPlan, context: JobContext) {
  const width = plan.targetTokens.length;
  const influence = new Float64Array(plan.sections.length * width);
  let untold: number[] = [];
  let done = 0;
  const rowsOf = (sections: readonly number[]) => {
    const rows = new Float64Array(sections.length * width);
    sections.forEach((section, i) => rows.set(influence.subarray(section * width, (section + 1) * width), i * width));
    return rows;
  };
  return {
    /** A section without a row has no influence. */
    add(sections: readonly number[], rows: readonly Float64Array[]): void {
      sections.forEach((section, i) => influence.set(rows[i] ?? [], section * width));
      untold.push(...sections);
      done += sections.length;
    },
    tell(): void {
      if (!context.listens) return;
      const explained = { plan, sections: untold, influence: rowsOf(untold) };
      context.progress({ phase: 'run', done, total: plan.sections.length, explained });
      untold = [];
    },
    finished: (): Explained => ({ ...plan, influence }),
  };
}
