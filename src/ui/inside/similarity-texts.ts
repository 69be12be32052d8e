import type { CSSProperties } from 'react';
import type { Pooling } from '../../contract/embed.ts';
import { type Findings, findingsOf, type SimilarityFound } from '../../state/inside/similarity.ts';
import { insideWords } from '../../words/en/inside.ts';
import { fixedText, numberText } from '../../words/numbers.ts';

/** A cosine with two decimals. */
export function cosineText(value: number): string {
  return fixedText(value, 2);
}

/** A pair by the numbers of its texts, such as `1 and 2`. */
export function pairName({ pairs }: SimilarityFound, pair: number): string {
  const [a, b] = pairs[pair] ?? [0, 0];
  return insideWords().similarity.pairOf(numberText(a + 1), numberText(b + 1));
}

/** What stands out, in sentences that follow from the numbers. */
export function similarityNotice(found: SimilarityFound, pooling: Pooling): string[] {
  const words = insideWords().similarity;
  const findings = findingsOf(found, pooling);
  if (!findings) return [];
  const { first, last, moved, spread } = findings;
  const at = (pair: number, layer: number) => cosineText(found.cosines[pooling][layer]?.[pair] ?? 0);
  const end = found.lastLayer;
  if (found.pairs.length === 1) return [words.one(at(0, 0), at(0, end))];
  return [
    first === last
      ? words.sameBoth(pairName(found, first), at(first, 0), at(first, end))
      : words.other(pairName(found, first), at(first, 0), pairName(found, last), at(last, end)),
    movedText(found, moved, at),
    words.spread(...spreadTexts(spread)),
  ];
}

/** Where the similarity of a pair is lowest and highest, in the order of the layers. */
function movedText(
  found: SimilarityFound,
  { pair, lowAt, highAt }: Findings['moved'],
  at: (pair: number, layer: number) => string,
): string {
  const [early, late] = [Math.min(lowAt, highAt), Math.max(lowAt, highAt)];
  const words = insideWords().similarity;
  const place = (layer: number) => ({ value: at(pair, layer), layer: numberText(layer) });
  return words.moved(pairName(found, pair), place(early), place(late));
}

function spreadTexts([from, to]: readonly [readonly [number, number], readonly [number, number]]) {
  return [cosineText(from[0]), cosineText(from[1]), cosineText(to[0]), cosineText(to[1])] as const;
}

/** Style of a cell: its value's share of the range from `low` to 1. */
export function shareStyle(value: number, low: number): CSSProperties & { '--share': string } {
  const share = low >= 1 ? 1 : (value - low) / (1 - low);
  return { '--share': Math.min(1, Math.max(0, share)).toFixed(3) };
}
