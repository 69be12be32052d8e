import { marginIn, scoreIn, type Section, type View } from '../../state/explain/influence.ts';
import { widthInLetters } from '../explain/scripts.ts';
import { sectionName } from '../explain/texts.ts';

/** More bars than this are better read in the matrix or the table. */
export const BARS_LIMIT = 12;

/** One bar. */
export interface BarRow {
  readonly id: string;
  readonly name: string;
  /** Nats. */
  readonly score: number;
  /** How far an estimate may be off, nats; null: exact. */
  readonly margin: number | null;
}

/** A bar for each section, in the order given; sections without a score in the view have none. */
export function barRows(sections: readonly Section[], view: View): BarRow[] {
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

/** Room for the longest name, pixels: an estimate, because measuring text would lay the page out once more. */
export function nameWidth(rows: readonly BarRow[]): number {
  const longest = Math.max(0, ...rows.map((row) => widthInLetters(row.name)));
  return Math.round(16 + longest * 7.5);
}
