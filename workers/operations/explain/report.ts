import type { ExplainedPlan, ExplainOutput, Margins } from '../../../src/protocol/jobs.ts';
import type { JobProgress } from '../../../src/protocol/messages.ts';
import { concatenated } from '../../kernels/float-arrays.ts';
import type { TaskContext } from '../../serving/serve.ts';

type Estimated = NonNullable<ExplainOutput['estimated']>;

/** A section, or what is known of it. */
interface OfSection {
  readonly section: number;
}

/** Collects the influence of sections, and sends it to a listener. */
export type Report = ReturnType<typeof createReport>;

/** @param unchanged  sections without influence @param counts  the work done; left out: the exact sections */
export function createReport(
  plan: ExplainedPlan,
  unchanged: readonly number[],
  { listens, progress }: TaskContext,
  counts?: () => Pick<JobProgress, 'done' | 'total'>,
) {
  const width = plan.targetTokens.length + plan.foilTokens.length;
  const influence = new Float64Array(plan.sections.length * width);
  let unsent = [...unchanged];
  let exact = unchanged.length;
  let given: Estimated | null = null;
  const estimated = new Set<number>(); // sections without an exact row
  const set = (sections: readonly number[], rows: readonly Float64Array[]) => {
    sections.forEach((section, i) => influence.set(rows[i] ?? [], section * width));
    for (const section of sections) unsent.push(section); // may be more than a call takes as parameters
  };
  const send = () => {
    if (!listens) return;
    const rows = new Float64Array(unsent.length * width);
    unsent.forEach((section, i) => rows.set(influence.subarray(section * width, (section + 1) * width), i * width));
    const explained = { plan, sections: unsent, influence: rows, estimated: estimatesIn(new Set(unsent)) };
    const { done, total } = counts?.() ?? { done: exact, total: plan.sections.length };
    progress({ phase: 'run', done, total, explained });
    unsent = [];
  };
  const estimatesIn = (wanted: ReadonlySet<number>) =>
    given && estimatesAmong(given, (section) => estimated.has(section) && wanted.has(section));
  return {
    /** Exact rows. */
    add(of: readonly OfSection[], rows: readonly Float64Array[]) {
      const sections = of.map(({ section }) => section);
      set(sections, rows);
      for (const section of sections) estimated.delete(section);
      exact += sections.length;
      send();
    },
    /** Estimated rows; exact ones, or other estimates, may replace them. */
    estimate(of: readonly OfSection[], rows: readonly Float64Array[], margins: Margins) {
      const sections = of.map(({ section }) => section);
      set(sections, rows);
      for (const section of sections) estimated.add(section);
      given = { sections, margins };
      send();
    },
    finished: (use: Pick<ExplainOutput, 'budget' | 'requests'>): ExplainOutput => ({
      ...plan,
      influence,
      estimated: estimatesIn(estimated),
      ...use,
    }),
  };
}

/** The estimates of some sections; null for none. */
function estimatesAmong(
  { sections, margins: { isCalibrated, whole, tokens } }: Estimated,
  isWanted: (section: number) => boolean,
): Estimated | null {
  const width = tokens.length / sections.length;
  const found = [...sections.keys()].filter((row) => isWanted(sections[row] ?? -1));
  if (found.length === 0) return null;
  return {
    sections: found.map((row) => sections[row] ?? -1),
    margins: {
      isCalibrated,
      whole: Float64Array.from(found, (row) => whole[row] ?? 0),
      tokens: concatenated(found.map((row) => tokens.subarray(row * width, (row + 1) * width))),
    },
  };
}
