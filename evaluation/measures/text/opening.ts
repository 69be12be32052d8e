/** A text in two. */
export interface Parted {
  readonly opening: string;
  /** Begins with the space or the end of line behind the opening, so that both have the tokens they have together. */
  readonly rest: string;
}

/** Behind a sentence, its closing quotes and brackets included; or at the end of a line. */
const END = /(?<=[.!?]["'”’)\]]*)(?=\s)|(?=\n)/gu;

/**
 * Parts a text behind its first sentence or line; where it has but one, behind its first word.
 *
 * @throws {RangeError} for a text of one word
 */
export function partedBehindOpening(text: string): Parted {
  const ends = [...text.matchAll(END)].map(({ index }) => index);
  const at = [...ends, text.search(/(?<=\S)\s/u)].find((end) => end > 0 && text.slice(end).trim() !== '');
  if (at === undefined) throw new RangeError(`expected a text of more than one word, got "${text}"`);
  return { opening: text.slice(0, at), rest: text.slice(at) };
}
