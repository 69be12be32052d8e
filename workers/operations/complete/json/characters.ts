/** Code points from the first to the last. */
export type CharacterRange = readonly [first: number, last: number];

/** Bytes from the least to the most. */
export type ByteRange = readonly [least: number, most: number];

/** A state of a finite automaton over characters. */
export interface Node {
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

const utf8 = new TextEncoder();

/**
 * How characters are written inside a text of JSON, each in one way: the shortest escape where it needs one, else itself.
 *
 * @returns sequences of bytes, each with its range
 */
export function jsonCharacters(ranges: readonly CharacterRange[]): readonly (readonly ByteRange[])[] {
  const escaped = intersection(ranges, ESCAPED).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => {
      const text = JSON.stringify(String.fromCharCode(first + index)).slice(1, -1);
      return Array.from(utf8.encode(text), (byte): ByteRange => [byte, byte]);
    }),
  );
  const plain = intersection(ranges, complement(ESCAPED)).flatMap(([first, last]) => [...encoded(first, last)]);
  return [...escaped, ...plain];
}

/**
 * The UTF-8 of a range of code points, as sequences of ranges of bytes.
 *
 * @source Cox 2010, "Regular Expression Matching in the Wild", section "UTF-8"
 */
function* encoded(first: number, last: number): Generator<ByteRange[]> {
  const cut = cutOf(first, last);
  if (cut !== undefined) {
    yield* encoded(first, cut);
    yield* encoded(cut + 1, last);
    return;
  }
  const [least, most] = [first, last].map((code) => utf8.encode(String.fromCodePoint(code)));
  yield Array.from(least ?? [], (byte, index): ByteRange => [byte, most?.[index] ?? byte]);
}

/** The last code point before which a range is cut, so that each byte of the parts has one range; undefined: nowhere. */
function cutOf(first: number, last: number): number | undefined {
  const length = [0x7f, 0x7ff, 0xffff].find((end) => first <= end && end < last);
  if (length !== undefined) return length;
  for (let low = 63; low < 2 ** 18; low = low * 64 + 63) {
    if (last < 0x80 || (first & ~low) === (last & ~low)) continue;
    if ((first & low) !== 0) return first | low;
    if ((last & low) !== low) return (last & ~low) - 1;
  }
  return undefined;
}
