import { type Section, scoreIn, type View } from '../influence.ts';

/** Scores as near to zero as this are listed in one line, nats. */
export const WEAK_NATS = 0.01;

/** Sections with a score in a view, parted; each part in the order given. */
export interface Parted {
  readonly strong: readonly Section[];
  /** Within `WEAK_NATS` of zero; empty where it is only one, which is a line anyway. */
  readonly weak: readonly Section[];
}

/** Parts what is listed section by section from what is next to zero. */
export function partedIn(sections: readonly Section[], view: View): Parted {
  const scored = sections.filter((section) => scoreIn(section, view) !== null);
  const isWeak = (section: Section) => Math.abs(scoreIn(section, view) ?? 0) <= WEAK_NATS;
  const weak = scored.filter(isWeak);
  return weak.length < 2 ? { strong: scored, weak: [] } : { strong: scored.filter((one) => !isWeak(one)), weak };
}
