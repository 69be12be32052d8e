/** Code points from the first to the last. */
export type CharacterRange = readonly [first: number, last: number];

/** A state of a finite automaton over characters. */
export interface Node {
  readonly id: number;
  isEnd: boolean;
  /** States that a character of the ranges leads to. */
  readonly next: { readonly ranges: readonly CharacterRange[]; readonly to: Node }[];
  /** States that are reached without a character. */
  readonly free: Node[];
}

/** What UTF-8 can write: every code point but surrogates. */
export const ANY_CHARACTER: readonly CharacterRange[] = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** The code points that are in both sets. @param a  in order, as all sets of ranges here */
export function intersection(a: readonly CharacterRange[], b: readonly CharacterRange[]): CharacterRange[] {
  return a.flatMap(([first, last]) =>
    b.flatMap(([from, to]): CharacterRange[] => {
      const range = [Math.max(first, from), Math.min(last, to)] as const;
      return range[0] <= range[1] ? [range] : [];
    }),
  );
}

/** The union of ranges in any order. */
export function union(ranges: readonly CharacterRange[]): CharacterRange[] {
  const joined: CharacterRange[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) joined[joined.length - 1] = [before[0], Math.max(before[1], last)];
    else joined.push([first, last]);
  }
  return joined;
}

/** All other code points that UTF-8 can write. */
export function complement(ranges: readonly CharacterRange[]): CharacterRange[] {
  const ends = [-1, ...ranges.map(([, last]) => last)];
  const begins = [...ranges.map(([first]) => first), 0x110000];
  const gaps = ends.map((end, index) => [end + 1, (begins[index] ?? 0) - 1] as const);
  return intersection(gaps, ANY_CHARACTER);
}

/** What JSON writes as an escape. @source RFC 8259, section 7 */
const ESCAPED = union([
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);

/** What UTF-8 writes in as many bytes, and JSON as it is. */
const PLAIN = intersection(complement(ESCAPED), [
  [0, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xffff],
  [0x10000, 0x10ffff],
]);

/** The characters that a text of JSON has as the shortest escape. */
export function escapes(ranges: readonly CharacterRange[]): string[] {
  return intersection(ranges, ESCAPED).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) =>
      JSON.stringify(String.fromCharCode(first + index)).slice(1, -1),
    ),
  );
}

/** The characters that a text of JSON has as they are: ranges with as many bytes in UTF-8. */
export function plain(ranges: readonly CharacterRange[]): CharacterRange[] {
  return intersection(ranges, PLAIN);
}
