import { shuffled } from '../../workers/kernels/seeded-random.ts';

/** At most `count` of the items, those that come first when shuffled, in their own order; undefined takes all. */
export function sampleOf<Item>(items: readonly Item[], count: number | undefined, seed = 1): readonly Item[] {
  if (count === undefined || count >= items.length) return items;
  const chosen = new Set(shuffled([...items.keys()], seed).slice(0, count));
  return items.filter((_, index) => chosen.has(index));
}
