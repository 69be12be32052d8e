/** Variation selectors: ordinary text has at most one after a character. */
const SELECTOR = String.raw`[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;

/** Eight or more characters without ink and width, enough to write a byte in bits; ordinary text has shorter runs. */
const NO_WIDTH = String.raw`[\xAD\u034F\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{1D173}-\u{1D17A}]{8,}`;

/** A flag with the name of a part of a country in tags, or invisible characters that carry text of their own. */
const CARRIERS = new RegExp(
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}|([\u{E0001}-\u{E007F}]+|(?<=${SELECTOR})${SELECTOR}+|${NO_WIDTH})`,
  'gu',
);

/** Whether a text may have one: most have none of these characters, and a pattern of single ones is fast. */
const MAY_CARRY = /[^\0-\xAC\xAE-\u034E]/;

/**
 * A text without invisible characters in which another text can be written that models read and people do not: tags, variation
 * selectors after another one, and long runs without width. Joiners, marks of direction and selectors of ordinary text stay.
 *
 * @returns with the number of such runs
 * @source Unicode 16, sections 23.4 and 23.9; UTS 51, annex C
 */
export function withoutInvisible(text: string): { readonly text: string; readonly count: number } {
  if (!MAY_CARRY.test(text)) return { text, count: 0 };
  let count = 0;
  const shown = text.replaceAll(CARRIERS, (all, hidden?: string) => {
    if (hidden === undefined) return all;
    count++;
    return '';
  });
  return { text: shown, count };
}

/** Whether a text has such a run. */
export function hasInvisible(text: string): boolean {
  return withoutInvisible(text).count > 0;
}
