import type { SimilarityFound } from '../../state/inside/similarity.ts';
import type { Pooling } from '../../contract/embed.ts';

/** A layer with the similarity of each pair, by the pair's key. */
export type LayerRow = { readonly layer: number } & Readonly<Record<string, number>>;

/** Key of a pair in a row. */
export function pairKey(pair: number): string {
  return `pair${pair}`;
}

/** A row for each layer. */
export function layerRows({ cosines, lastLayer }: SimilarityFound, pooling: Pooling): LayerRow[] {
  return Array.from({ length: lastLayer + 1 }, (_, layer) => ({
    layer,
    ...Object.fromEntries((cosines[pooling][layer] ?? []).map((value, pair) => [pairKey(pair), value])),
  }));
}

/** Ends of the value axis: tenths around all values, at most −1 … 1. */
export function cosineDomain({ cosines }: SimilarityFound, pooling: Pooling): [number, number] {
  const values = cosines[pooling].flat();
  const low = Math.floor(Math.min(...values) * 10) / 10;
  const high = Math.ceil(Math.max(...values) * 10) / 10;
  return [Math.max(-1, low), Math.min(1, high === low ? low + 0.1 : high)];
}

/** Dashes and gaps by which lines are told apart without colour; they repeat where there are more lines. */
const PATTERNS: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [1, 5], [4, 2, 1, 2, 1, 2]];

/** The dashes of a pair's line. */
export function dashesOf(pair: number): readonly number[] {
  return PATTERNS[pair % PATTERNS.length] ?? [];
}
