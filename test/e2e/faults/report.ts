import { RIGHT } from './judge.ts';
import type { GroupResult } from './trial.ts';

/** A row of the report: where, and how many points ended how. */
export type ReportRow = Readonly<Record<string, string | number>>;

/** One row per fault: what became of all its points in all operations. */
export function byFault(results: readonly GroupResult[]): ReportRow[] {
  const faults = [...new Set(results.filter(({ uses }) => uses > 0).map(({ fault }) => fault))];
  return faults.map((fault) => ({ fault, ...summed(results.filter((each) => each.fault === fault)) }));
}

/** One row per operation and fault that it met. */
export function byOperation(results: readonly GroupResult[]): ReportRow[] {
  return results
    .filter(({ points, problems }) => points > 0 || problems.length > 0)
    .map((each) => ({ operation: each.group, fault: each.fault, ...summed([each]) }));
}

function summed(results: readonly GroupResult[]): ReportRow {
  const outcomes: Record<string, number> = {};
  for (const result of results)
    for (const [outcome, count] of Object.entries(result.outcomes))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
  const { [RIGHT]: right = 0, ...others } = outcomes;
  return {
    uses: results.reduce((sum, { uses }) => sum + uses, 0),
    points: results.reduce((sum, { points }) => sum + points, 0),
    right,
    'documented errors': Object.entries(others)
      .map(([outcome, count]) => `${count} × ${outcome}`)
      .join(', '),
    wrong: results.reduce((sum, { problems }) => sum + problems.length, 0),
  };
}

/** One line: points visited of those that there are, and the problems by kind. */
export function totalOf(results: readonly GroupResult[]): string {
  const sum = (of: (result: GroupResult) => number) => results.reduce((total, each) => total + of(each), 0);
  const [uses, points] = [sum((each) => each.uses), sum((each) => each.points)];
  const problems = results.flatMap((each) => each.problems);
  const [hung, leaked, uncaught] = [/\[hangs\]/, /leak/, /uncaught/].map(
    (pattern) => problems.filter((each) => pattern.test(each)).length,
  );
  return `${points} of ${uses} points, ${problems.length} problems: ${hung} hung, ${leaked} leaked, ${uncaught} uncaught`;
}

/** Rows as a table in Markdown. */
export function markdownOf(rows: readonly ReportRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ''))),
  ].join('\n');
}
