import type { PageBox } from './boxes.ts';

/** What a parser's dictionaries say that pdf.js does not pass on. */
export type DictionaryReport =
  | { readonly type: 'parser-actual-text'; readonly id: number; readonly text: string }
  | { readonly type: 'parser-dingbats' };

/** What is known so far of a file that pdf.js does not say. */
export interface Dictionaries {
  /** Text that the file gives for what it draws, by the number of that marked content. */
  readonly actualTexts: ReadonlyMap<number, string>;
  /** Places of the pictures of the page that was read last. */
  readonly pictures: readonly PageBox[];
  /** Whether that page has text beyond its edges, or in invisible characters of a font. */
  readonly hasOutside: boolean;
  /** Whether that page has text that is covered by what is drawn after it; when the page is read again, it is drawn as unseen. */
  readonly hasCovered: boolean;
  /** Lines through text of that page. */
  readonly strikes: ReadonlySet<number>;
  /** Whether a font may be ZapfDingbats, whose codes pdf.js takes for letters. */
  readonly hasDingbats: boolean;
}

/** Higher than the numbers that files give their marked content. */
const FIRST_ID = 2 ** 30;

/** Longer texts are left out: they stand for a whole page. */
const MAX_TEXT = 2 ** 16;

/** Ligatures at the codes from 11 on in TeX's drawn fonts, which pdf.js takes for white space. @source Knuth, Computer Modern Typefaces, 1986 */
const LIGATURES = ['ff', 'fi', 'fl', 'ffi', 'ffl'];

/**
 * In place of the maps that pdf.js keeps dictionaries and glyphs in. A dictionary with `/ActualText` gets a number as its `/MCID`,
 * which pdf.js passes on with marked content, and the text is reported before it. The description `/Alt` is left out: pdf.js would pass it
 * on with the structure of a page in place of the text.
 *
 * @source ISO 32000-1, sections 14.6 and 14.9.4; pdfjs-dist 5.6.205, `Dict` and `Font`
 */
export function reportingMap(report: (report: DictionaryReport) => void) {
  let next = FIRST_ID;
  return class extends Map<unknown, unknown> {
    override set(key: unknown, value: unknown): this {
      if (key === 'BaseFont' && isDingbats(value)) report({ type: 'parser-dingbats' });
      if (key === 'Alt') return this;
      if (key === 'MCID' && isReported(this.get(key))) return this;
      if (key === 'ActualText' && typeof value === 'string' && value.length <= MAX_TEXT) {
        const id = next++;
        report({ type: 'parser-actual-text', id, text: textString(value) });
        super.set('MCID', id);
      }
      if (typeof key === 'number' && typeof value === 'object' && value !== null) {
        const ligature = ligatureOf(value);
        if (ligature !== undefined) Object.assign(value, { unicode: ligature });
      }
      return super.set(key, value);
    }
  };
}

/** The ligature that a drawn glyph is; its name, such as `a12`, says nothing. */
function ligatureOf(glyph: object): string | undefined {
  if (!('unicode' in glyph && 'operatorListId' in glyph) || typeof glyph.operatorListId !== 'string') return undefined;
  return LIGATURES[String(glyph.unicode).charCodeAt(0) - 11];
}

function isReported(id: unknown): boolean {
  return typeof id === 'number' && id >= FIRST_ID;
}

function isDingbats(name: unknown): boolean {
  return typeof name === 'object' && name !== null && 'name' in name && /Dingbats/.test(String(name.name));
}

/** Marks of encodings at the beginning of a text string, and their decoders. */
const ENCODINGS = [
  ['\u00FE\u00FF', 'utf-16be'],
  ['\u00FF\u00FE', 'utf-16le'],
  ['\u00EF\u00BB\u00BF', 'utf-8'],
] as const;

/** Characters of the bytes from 0x18, 0x80 and 0xA0 on; the others are those of Latin-1. @source ISO 32000-2, annex D.3, PDFDocEncoding */
const CHARACTERS = [
  [0x18, '\u02D8\u02C7\u02C6\u02D9\u02DD\u02DB\u02DA\u02DC'],
  [0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™\uFB01\uFB02\u0141\u0152\u0160\u0178\u017D\u0131\u0142\u0153\u0161\u017E'],
  [0xa0, '€'],
] as const;

/** The text of a string of the file, a character for each byte. @source ISO 32000-2, section 7.9.2.2 */
function textString(bytes: string): string {
  const encoding = ENCODINGS.find(([mark]) => bytes.startsWith(mark))?.[1];
  if (encoding) return new TextDecoder(encoding).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  return bytes.replaceAll(/[^]/g, (byte) => {
    const code = byte.charCodeAt(0);
    return CHARACTERS.map(([first, characters]) => characters[code - first]).find((each) => each) ?? byte;
  });
}
