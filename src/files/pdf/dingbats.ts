import './native-functions.ts'; // first: it stores the functions that the next import replaces
import { AnnotationMode, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.d.ts';

/** Characters of ZapfDingbats that are not in Unicode's block of the same order. @source Adobe's list of its glyphs, 2002 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '%': '☎',
  '*': '☛',
  '+': '☞',
  H: '★',
  l: '●',
  n: '■',
  s: '▲',
  t: '▼',
  u: '◆',
  w: '◗',
  '\u00A8': '♣',
  '\u00A9': '♦',
  '\u00AA': '♥',
  '\u00AB': '♠',
  '\u03BC': '⑩', // pdf.js writes U+00B5 so
  '\u00D5': '→',
  '\u00D6': '↔',
  '\u00D7': '↕',
};

/** The character of a code of ZapfDingbats, which pdf.js takes for one of Latin-1. */
function dingbat(code: string): string {
  const elsewhere = ELSEWHERE[code];
  if (elsewhere !== undefined) return elsewhere;
  const value = code.charCodeAt(0);
  if (value >= 0xac && value <= 0xb5) return String.fromCharCode(value - 0xac + 0x2460); // ① to ⑩
  if (value > 0x20 && value < 0x7f) return String.fromCharCode(value + 0x26e0);
  return value > 0xa0 && value < 0xff ? String.fromCharCode(value + 0x26c0) : code;
}

/** Items of a page with the characters of ZapfDingbats; only a list of what is drawn says which font is that. */
export async function withDingbats<Item extends TextItem>(page: PDFPageProxy, items: readonly Item[]): Promise<Item[]> {
  await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE }); // after it, the page knows its fonts
  const names = new Set(items.map(({ fontName }) => fontName).filter((name) => isDingbats(page, name)));
  return items.map((item) =>
    names.has(item.fontName) ? { ...item, str: item.str.replaceAll(/[!-\u00FEμ]/g, dingbat) } : item,
  );
}

function isDingbats({ commonObjs }: PDFPageProxy, font: string): boolean {
  if (!commonObjs.has(font)) return false;
  const { name } = commonObjs.get(font) as { readonly name?: string };
  return /Dingbats/.test(name ?? '');
}
