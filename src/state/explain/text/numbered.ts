import type { Span } from '../../../contract/code-points.ts';

/** A section as it is read. */
export interface Shown extends Span {
  readonly text: string;
}

/** What tells sections with the same words apart. */
export interface Numbered {
  /** Which of several places with these words it is, from 1 on; null where it is the only one. */
  readonly nth: number | null;
  /** Which part of that place it is, from 1 on, where several sections are parts of the same characters. */
  readonly piece?: number;
}

/**
 * Numbers sections with the same words. Sections of one place, such as the tokens that make up one emoji, are its parts.
 *
 * @param sections  in the order of the text, each with the whole characters that it is part of
 */
export function numbered(sections: readonly Shown[]): Numbered[] {
  const places: { words: string; count: number }[] = [];
  for (const [at, { start, length, text }] of sections.entries()) {
    const before = sections[at - 1];
    const last = places.at(-1);
    if (last && before?.start === start && before.length === length) last.count++;
    else places.push({ words: text.trim(), count: 1 });
  }
  const totals = countsOf(places.map(({ words }) => words));
  const seen = new Map<string, number>();
  return places.flatMap(({ words, count }) => {
    const place = (seen.get(words) ?? 0) + 1;
    seen.set(words, place);
    const nth = (totals.get(words) ?? 1) > 1 ? place : null;
    return Array.from({ length: count }, (_, part) => ({ nth, ...(count > 1 && { piece: part + 1 }) }));
  });
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
