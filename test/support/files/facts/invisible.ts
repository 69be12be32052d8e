/** Letters without marks. */
function ascii(text: string): string {
  return text.normalize('NFD').replaceAll(/[^ -~]/g, '');
}

/** A text in characters of no glyph. @source Unicode 16, section 23.9 */
export function inTags(text: string): string {
  return Array.from(ascii(text), (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}

/** A text in selectors of variants, as they are hidden behind an emoji. */
export function inSelectors(text: string): string {
  return Array.from(ascii(text), (letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0) - 16)).join('');
}
