import type { BudgetUse, Estimated, Explained, ExplainedPlan, Margins } from '../../../src/protocol/target-jobs.ts';
import type { JobContext } from '../context.ts';

/** The influence of sections as it becomes known. */
export interface Report {
  /** A section without a row has no influence. */
  add(sections: readonly number[], rows: readonly Float64Array[]): void;
  /** Rows that are no more than estimates, once; exact ones may take their place. */
  estimate(sections: readonly number[], rows: readonly Float64Array[], margins: Margins): void;
  /** Tells a listener what is new since it was told last. */
  tell(): void;
  /** @param budget  what became of it; null without one */
  finished(budget: BudgetUse | null): Explained;
}

/** An empty report of a plan. */
export function createReport(plan: ExplainedPlan, context: JobContext): Report {
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const influence = new Float64Array(plan.sections.length * width);
  let untold: number[] = [];
  let done = 0;
  let given: Estimated | null = null;
  const open = new Set<number>(); // estimates
  const set = (sections: readonly number[], rows: readonly Float64Array[]) => {
    sections.forEach((section, i) => influence.set(rows[i] ?? [], section * width));
    untold.push(...sections);
  };
  /** Those out of the sections that are estimates. */
  const estimatesIn = (sections: ReadonlySet<number>): Estimated | null =>
    given && partOf(given, plan, (section) => open.has(section) && sections.has(section));
  return {
    add(sections, rows) {
      set(sections, rows);
      for (const section of sections) open.delete(section);
      done += sections.length;
    },
    estimate(sections, rows, margins) {
      set(sections, rows);
      for (const section of sections) open.add(section);
      given = { sections, margins };
    },
    tell() {
      if (!context.listens) return;
      const rows = new Float64Array(untold.length * width);
      untold.forEach((section, i) => rows.set(influence.subarray(section * width, (section + 1) * width), i * width));
      const explained = { plan, sections: untold, influence: rows, estimated: estimatesIn(new Set(untold)) };
      context.progress({ phase: 'run', done, total: plan.sections.length, explained });
      untold = [];
    },
    finished: (budget) => ({ ...plan, influence, estimated: estimatesIn(open), budget }),
  };
}

/** Some of the estimates; null for none of them. */
function partOf(
  { sections, margins: { isCalibrated, whole, tokens } }: Estimated,
  plan: ExplainedPlan,
  isIn: (section: number) => boolean,
): Estimated | null {
  const { length } = plan.targetTokens;
  const kept = [...sections.keys()].filter((at) => isIn(sections[at] ?? -1));
  if (kept.length === 0) return null;
  return {
    sections: kept.flatMap((at) => sections[at] ?? []),
    margins: {
      isCalibrated,
      whole: Float64Array.from(kept, (at) => whole[at] ?? 0),
      tokens: Float64Array.from(kept.flatMap((at) => [...tokens.subarray(at * length, (at + 1) * length)])),
    },
  };
}
