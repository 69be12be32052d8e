import { drawsFrom } from './random.ts';

/** Sections that are removed together: whether each is, in their order. */
export type Removal = readonly boolean[];

/** How sections are removed. */
export type Way = 'controls' | 'deletion';

/** Shares of the sections over which losses are averaged. @source DeYoung et al. 2020 (ERASER), without its 1 % */
export const SHARES: readonly number[] = [0.05, 0.1, 0.2, 0.35, 0.5];

/** What is removed to judge one order of the sections. */
export interface Erasure {
  /** The first sections of the order, for each share. */
  readonly first: readonly Removal[];
  /** All but these. */
  readonly others: readonly Removal[];
}

/** The first sections by score, for each share: at least one; of equal scores the earlier section. */
export function erasureOf(scores: readonly number[]): Erasure {
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const first = SHARES.map((share) => {
    const chosen = new Set(order.slice(0, Math.max(1, Math.round(share * scores.length))));
    return scores.map((_, at) => chosen.has(at));
  });
  return { first, others: first.map((removal) => removal.map((isGone) => !isGone)) };
}

/** Each section by itself. */
export function singly(count: number): Removal[] {
  return Array.from({ length: count }, (_, at) => Array.from({ length: count }, (__, other) => other === at));
}

/** Random sets in which each section is with a chance of one half. */
export function jointly(count: number, sets: number, seed: number): Removal[] {
  const draw = drawsFrom(seed);
  return Array.from({ length: sets }, () => Array.from({ length: count }, () => draw() < 0.5));
}

/** A name for a removal, the same for the same sections. */
export function keyOf(way: Way, removal: Removal): string {
  return `${way} ${removal.map(Number).join('')}`;
}
