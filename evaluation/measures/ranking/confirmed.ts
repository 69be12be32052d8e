/** Sections of an explanation and what computing each exactly costs. */
export interface Costed {
  /** Exact scores, whatever their sign. */
  readonly scores: readonly number[];
  /** Positions that an exact pass computes for each. */
  readonly costs: readonly number[];
  /** Positions of the pass without suppression. */
  readonly unmodified: number;
}

/** The sections with the greatest effect, the first first. */
export function greatestOf(scores: readonly number[], count: number): number[] {
  const size = (section: number) => Math.abs(scores[section] ?? 0);
  return [...scores.keys()].sort((a, b) => size(b) - size(a)).slice(0, count);
}

/** Share of these sections that `isKnown` says are known. */
export function shareKnown(sections: readonly number[], isKnown: (section: number) => boolean): number {
  return sections.filter(isKnown).length / sections.length;
}

/** Sections that exact passes in this order have computed when a share of all positions of the explanation is spent. */
export function computedBy(
  order: readonly number[],
  { costs, unmodified }: Costed,
  share: number,
): ReadonlySet<number> {
  let left = share * costs.reduce((sum, cost) => sum + cost, unmodified) - unmodified;
  const beyond = order.findIndex((section) => (left -= costs[section] ?? 0) < 0);
  return new Set(beyond < 0 ? order : order.slice(0, beyond));
}
