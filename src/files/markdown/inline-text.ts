import type { MarkedToken, Token } from 'marked';

/** The references that Markdown is written with; any other stays as it is. */
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** What a reader sees of a line of Markdown: no marks, links as their text, pictures as their description, no HTML. */
export function inlineText(tokens: readonly Token[]): string {
  // No extension adds other tokens.
  return tokens.map((token) => textOf(token as MarkedToken)).join('');
}

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlineText(token.tokens) : unescaped(token.text).replaceAll(/ *\n */g, ' ');
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return inlineText(token.tokens);
    case 'codespan':
    case 'escape':
    case 'image':
      return token.text;
    case 'br':
      return '\n';
    default:
      return '';
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:(?<name>[a-z]+)|#(?<code>\d{1,7}));/g, (whole, name?: string, code?: string) => {
    if (name !== undefined) return REFERENCES[name] ?? whole;
    const point = Number(code);
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000) ? String.fromCodePoint(point) : whole;
  });
}
