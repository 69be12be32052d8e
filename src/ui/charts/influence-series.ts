import { scoreIn, type Section, type View } from '../../state/influence.ts';
import { nameOf } from '../explain/visible-text.ts';

/** More bars than this are better read in the matrix or the table. */
export const BARS_LIMIT = 12;

/** One bar. */
export interface BarRow {
  readonly id: string;
  readonly name: string;
  /** Nats. */
  readonly score: number;
}

/** A bar for each section, in the order given; sections without a score in the view have none. */
export function barRows(sections: readonly Section[], view: View): BarRow[] {
  return sections.flatMap((section) => {
    const score = scoreIn(section, view);
    return score === null ? [] : [{ id: section.id, name: nameOf(section.text, 22), score }];
  });
}

/** Ends of the value axis, nats: 0 is always on it, and each used side has room for the number beside its longest bar. */
export function barDomain(rows: readonly BarRow[]): [number, number] {
  const low = Math.min(0, ...rows.map((row) => row.score));
  const high = Math.max(0, ...rows.map((row) => row.score));
  const room = (high - low || 1) * 0.14;
  return [low < 0 ? low - room : 0, high > 0 || low === 0 ? high + room : 0];
}
