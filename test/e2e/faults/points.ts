import type { Lasting } from './faults.ts';

/** Which uses of a seam are made to fail. */
export interface Choice {
  /** Every use, not a sample of those that the same code made. */
  readonly all: boolean;
  /** So many at most, the first ones. */
  readonly most: number;
}

/**
 * The uses to fail, counted from 1, ascending. Uses of one site differ little, such as the passes of one loop: of each
 * site the first two and the last stand for it, the first and the last where all later uses fail too.
 *
 * @param sites  of each use; equal numbers for the same code on the same way there
 */
export function pointsOf(sites: readonly number[], lasting: Lasting, { all, most }: Choice): number[] {
  const firsts = lasting === 'once' ? 2 : 1;
  const seen = new Map<number, number>();
  const chosen: number[] = [];
  sites.forEach((site, index) => {
    const count = (seen.get(site) ?? 0) + 1;
    seen.set(site, count);
    if (all || count <= firsts || sites.lastIndexOf(site) === index) chosen.push(index + 1);
  });
  return chosen.slice(0, most);
}
