import type { TextScore } from '../contract/explain.ts';

/** The text of tokens, and what of it each has. */
export interface TokenText {
  readonly text: string;
  /** In code points, without a space at the beginning. */
  readonly sections: readonly { readonly start: number; readonly length: number }[];
  /** The section of each token. A token without a text, such as the first bytes of a character, is part of the next one. */
  readonly sectionOf: readonly number[];
}

/** Joins the texts of tokens. @throws {RangeError} when none has a text */
export function joined(texts: readonly string[]): TokenText {
  const sections: { start: number; length: number }[] = [];
  const sectionOf: number[] = [];
  let end = 0;
  for (const text of texts) {
    sectionOf.push(sections.length);
    const length = Array.from(text).length;
    const space = length > 1 && text.startsWith(' ') ? 1 : 0;
    if (length > 0) sections.push({ start: end + space, length: length - space });
    end += length;
  }
  if (end === 0) throw new RangeError('tokens: expected a text, got none');
  return { text: texts.join(''), sections, sectionOf: sectionOf.map((at) => Math.min(at, sections.length - 1)) };
}

/** Scores of sections: those of their tokens added up. @param values  of each token; null where it has none */
export function sectionScores({ sections, sectionOf }: TokenText, values: readonly (number | null)[]): TextScore[] {
  const sums = sections.map((): number | null => null);
  values.forEach((value, token) => {
    const at = sectionOf[token] ?? 0;
    if (value !== null) sums[at] = (sums[at] ?? 0) + value;
  });
  return sections.flatMap((place, at) => {
    const score = sums[at] ?? null;
    return score === null ? [] : [{ start: place.start, length: place.length, score }];
  });
}
