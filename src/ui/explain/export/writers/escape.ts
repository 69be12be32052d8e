/** Characters that no XML file may hold: most control characters, halves of surrogate pairs, and two others. */
const FORBIDDEN = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for the content and the attributes of XML and HTML; what XML cannot hold becomes U+FFFD. */
export function escaped(text: string): string {
  return text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The same for a snippet that does not know the encoding of its page: every other character is a number. */
export function asciiOnly(html: string): string {
  return html.replaceAll(/[^\t\n\r -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}
