import { wordTexts } from './words.ts';

/** How fast a word's repetition counts less, and how much a text's length is held against it. @source Robertson and Zaragoza 2009, section 3.2 */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * How many of a query's words, and how rare ones, each text has: BM25 over these texts alone.
 *
 * @returns scores ≥ 0, `[texts]`; 0 for a text that has no word of the query
 */
export function relevanceOf(query: string, texts: readonly string[]): number[] {
  return createRelevance(texts)(query);
}

/**
 * The same for many queries: the texts are read once.
 *
 * @returns a function of a query
 * @source  Robertson and Zaragoza 2009, equation 3.15, with the logarithm kept positive as in Lucene
 */
export function createRelevance(texts: readonly string[]): (query: string) => number[] {
  const counted = texts.map(countsOf);
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const rarityOf = (word: string) => {
    const having = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const words = [...countsOf(query).counts.keys()].map((word) => ({ word, rarity: rarityOf(word) }));
    return counted.map(({ counts, length }) => {
      const longness = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / meanLength);
      return words.reduce((sum, { word, rarity }) => {
        const count = counts.get(word) ?? 0;
        return count === 0 ? sum : sum + (rarity * count * (SATURATION + 1)) / (count + longness);
      }, 0);
    });
  };
}

function countsOf(text: string): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  const words = wordTexts(text);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
