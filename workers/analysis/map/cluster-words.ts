import type { Grouping } from './clusters.ts';
import { FUNCTION_WORDS } from './function-words.ts';

/** Letters of any script; a word that begins with a digit names nothing. */
const WORD = /\p{L}[\p{L}\p{N}'’-]+/gu;
const LEAST_LETTERS = 3;

/**
 * The words that tell each group from the others: how often a group has a word, times how rare the word is in all of them.
 * A text counts a word once, so that one that repeats it does not name its group; a word of a single text names none of several.
 *
 * @returns `[groups][most]`, the most telling first; fewer where a group has no more
 * @source  class-based TF-IDF: Grootendorst 2022, arXiv:2203.05794, formula 2
 */
export function wordsOfGroups(texts: readonly string[], { labels, count }: Grouping, most: number): string[][] {
  const inGroups = Array.from({ length: count }, () => new Map<string, number>());
  for (const [row, text] of texts.entries())
    for (const word of new Set(namingWords(text))) {
      const own = inGroups[labels[row] ?? 0];
      own?.set(word, (own.get(word) ?? 0) + 1);
    }
  const inAll = new Map<string, number>();
  for (const group of inGroups) for (const [word, times] of group) inAll.set(word, (inAll.get(word) ?? 0) + times);
  const mean = [...inAll.values()].reduce((sum, times) => sum + times, 0) / Math.max(1, count);
  return inGroups.map((group) => {
    const weight = ([word, times]: readonly [string, number]) => times * Math.log(1 + mean / (inAll.get(word) ?? 1));
    const shared = [...group].filter(([, times]) => times > 1);
    return (shared.length > 0 ? shared : [...group])
      .toSorted((a, b) => weight(b) - weight(a) || a[0].localeCompare(b[0]))
      .slice(0, most)
      .map(([word]) => word);
  });
}

function namingWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.filter((word) => word.length >= LEAST_LETTERS && !FUNCTION_WORDS.has(word));
}
