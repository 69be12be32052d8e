/** Numbers in [0, 1), the same for the same seed. @source Mulberry32, Tommy Ettinger, public domain */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The items in an order that only the seed decides. @source Fisher and Yates */
export function shuffled<Item>(items: readonly Item[], seed = 1): Item[] {
  const [random, order] = [seededRandom(seed), [...items]];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [order[at], order[other]];
    if (one !== undefined && two !== undefined) [order[at], order[other]] = [two, one];
  }
  return order;
}
