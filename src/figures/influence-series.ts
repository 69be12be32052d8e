import { marginIn, scoreIn, type ScoreView, type Section } from '../explanations/influence.ts';
import { sectionName } from './texts.ts';

/** More bars than this are better read in the matrix or the table. */
export const BARS_LIMIT = 12;

/** One bar. */
export interface BarRow {
  readonly id: string;
  readonly name: string;
  /** Nats. */
  readonly score: number;
  /** Margin of an estimate, nats; null: exact. */
  readonly margin: number | null;
}

/** A bar for each section, in the order given; sections without a score in the view have none. */
export function barRows(sections: readonly Section[], view: ScoreView): BarRow[] {
  return sections.flatMap((section) => {
    const score = scoreIn(section, view);
    return score === null
      ? []
      : [{ id: section.id, name: sectionName(section, 20), score, margin: marginIn(section, view) }];
  });
}

/** Ends of the value axis, nats: 0 is always on it, and it is never empty. */
export function barDomain(rows: readonly BarRow[]): [number, number] {
  const low = Math.min(0, ...rows.map((row) => row.score));
  const high = Math.max(0, ...rows.map((row) => row.score));
  return low === high ? [0, 1] : [low, high];
}
