import type { Estimated, Explained, ExplainedPlan, Margins } from '../../../src/protocol/target-jobs.ts';
import type { JobContext } from '../context.ts';

/** The influence of sections as it becomes known. */
export interface Report {
  /** A section without a row has no influence. */
  add(sections: readonly number[], rows: readonly Float64Array[]): void;
  /** Rows that are no more than estimates; at most once, at the end. */
  estimate(sections: readonly number[], rows: readonly Float64Array[], margins: Margins): void;
  /** Tells a listener what is new since it was told last. */
  tell(): void;
  finished(): Explained;
}

/** An empty report of a plan. */
export function createReport(plan: ExplainedPlan, context: JobContext): Report {
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const influence = new Float64Array(plan.sections.length * width);
  let untold: number[] = [];
  let done = 0;
  let estimated: Estimated | null = null;
  const add = (sections: readonly number[], rows: readonly Float64Array[]) => {
    sections.forEach((section, i) => influence.set(rows[i] ?? [], section * width));
    untold.push(...sections);
    done += sections.length;
  };
  return {
    add,
    estimate(sections, rows, margins) {
      add(sections, rows);
      if (sections.length > 0) estimated = { sections, margins };
    },
    tell() {
      if (!context.listens) return;
      const rows = new Float64Array(untold.length * width);
      untold.forEach((section, i) => rows.set(influence.subarray(section * width, (section + 1) * width), i * width));
      const explained = { plan, sections: untold, influence: rows, estimated };
      context.progress({ phase: 'run', done, total: plan.sections.length, explained });
      untold = [];
    },
    finished: () => ({ ...plan, influence, estimated }),
  };
}
