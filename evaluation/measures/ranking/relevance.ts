import type { Span } from '../../../src/contract/code-points.ts';

/** Keeps quotients finite where nothing is relevant. */
const EPSILON = 1e-7;

/** How well scores point at what is labelled. */
export interface Pointing {
  /** Share of the scores' mass that lies on what is labelled. */
  readonly precision: number;
  /** Mass on what is labelled, the greatest score counting 1, over the number of labels. */
  readonly recall: number;
}

/**
 * Precision Σxy ÷ Σx and recall Σ(x ÷ max x)y ÷ Σy of a relevance map x, negative scores counting as 0.
 *
 * @param scores  `[parts]`
 * @param labels  1 where a part is to be found, else 0, `[parts]`
 * @returns       both 0 where no score is positive
 * @source        contract facts, "Metric code": AtMan, arXiv:2301.08110, evaluation of images, applied to words
 */
export function pointingOf(scores: readonly number[], labels: readonly number[]): Pointing {
  const relevance = scores.map((score) => Math.max(score, 0));
  const on = sum(relevance.map((value, i) => value * (labels[i] ?? 0)));
  const greatest = relevance.reduce((most, value) => Math.max(most, value), 0);
  return {
    precision: on / (sum(relevance) + EPSILON),
    recall: greatest === 0 ? 0 : on / greatest / (sum(labels) + EPSILON),
  };
}

/** Scores of several maps, summed part by part. `[maps][parts]` → `[parts]` */
export function sumOf(maps: readonly (readonly number[])[]): number[] {
  return (maps[0] ?? []).map((_, part) => sum(maps.map((map) => map[part] ?? 0)));
}

/**
 * Positive scores of several maps, the greatest of each 1, summed: no map outweighs another. One without a positive score
 * adds nothing.
 *
 * @param maps  `[maps][parts]`
 * @returns     `[parts]`
 */
export function sumOfShares(maps: readonly (readonly number[])[]): number[] {
  const sums = new Array<number>(maps[0]?.length ?? 0).fill(0);
  for (const map of maps) {
    const greatest = map.reduce((most, score) => Math.max(most, score), 0);
    if (greatest > 0)
      for (const [part, score] of map.entries()) sums[part] = (sums[part] ?? 0) + Math.max(score, 0) / greatest;
  }
  return sums;
}

/** 1 for each part that shares at least one character with the span, else 0. Spans in one unit. */
export function touching(parts: readonly Span[], { start, length }: Span): number[] {
  return parts.map((part) => (part.start < start + length && part.start + part.length > start ? 1 : 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
