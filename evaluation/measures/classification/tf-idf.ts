import { featuresOf, type Features, type SparseRow } from '../../../workers/analysis/sort-by-examples.ts';
import { wordsOf } from '../text/words.ts';

/**
 * How often a word stands in a text, damped, times how rare it is, each row of length 1: (1 + ln count) × (1 + ln((1 +
 * texts) / (1 + texts that have it))). Words and rarities are those of the texts given here.
 *
 * @returns a function of other texts; words that it does not know count nothing
 * @source  Salton and Buckley 1988; the formula of scikit-learn's TfidfVectorizer(sublinear_tf=True)
 */
export function createTfIdf(texts: readonly string[]): (asked: readonly string[]) => Features {
  const having = new Map<string, number>();
  for (const text of texts) for (const word of new Set(wordsOf(text))) having.set(word, (having.get(word) ?? 0) + 1);
  const known = new Map(
    [...having].map(([word, count], place) => [
      word,
      { place, rarity: 1 + Math.log((1 + texts.length) / (1 + count)) },
    ]),
  );
  const rowOf = (text: string): SparseRow => {
    const counts = new Map<string, number>();
    for (const word of wordsOf(text)) if (known.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const row = [...counts].map(([word, count]) => {
      const { place = 0, rarity = 0 } = known.get(word) ?? {};
      return [place, (1 + Math.log(count)) * rarity] as const;
    });
    const length = Math.hypot(...row.map(([, value]) => value));
    return row.map(([place, value]) => [place, value / length] as const);
  };
  return (asked) => featuresOf(asked.map(rowOf), known.size);
}
