import type { PageText } from './page-text.ts';

/**
 * Characters that no text has: control characters, private ones and unassigned ones. pdf.js shows the numbers of glyphs as
 * such where a font has no table of characters.
 */
const NOT_TEXT = /[\p{Cc}\p{Co}\p{Cn}\uFFFD]/gu;

/** Those of them that no bullet is. */
const NOT_SYMBOL = /[\p{Cc}\uFFFD]/gu;

/** A font has no table if at least this share of its characters is none; spaces and digits alone are a fifth of a text. */
const SHARE = 0.05;

/** Symbols, such as the bullets of lists, are private characters in items of few letters. */
const SYMBOLS = 2;

/** What a page shows of fonts that do not say which characters their glyphs are. */
interface Mapped extends Pick<PageText, 'items'> {
  /** Names of the fonts without a table. */
  readonly unmapped: ReadonlySet<string>;
  /** Characters that are none in the texts of other fonts, without bullets. */
  readonly symbols: number;
}

/** The items of a page with the texts of fonts emptied that have no table of their characters. */
export function withoutUnmapped({ items }: Pick<PageText, 'items'>): Mapped {
  const counts = new Map<string, { all: number; wrong: number; symbols: number }>();
  for (const { str, fontName } of items) {
    const wrong = str.match(NOT_TEXT)?.length ?? 0;
    if (str.length <= SYMBOLS && wrong === 0) continue;
    const count = counts.get(fontName) ?? { all: 0, wrong: 0, symbols: 0 };
    counts.set(fontName, count);
    count.all += str.length;
    if (str.length > SYMBOLS) count.wrong += wrong;
    count.symbols += str.length > SYMBOLS ? wrong : (str.match(NOT_SYMBOL)?.length ?? 0);
  }
  const unmapped = new Set([...counts].flatMap(([font, { all, wrong }]) => (wrong > SHARE * all ? [font] : [])));
  const symbols = [...counts].reduce((sum, [font, { symbols: own }]) => sum + (unmapped.has(font) ? 0 : own), 0);
  if (unmapped.size === 0) return { items, unmapped, symbols };
  return { items: items.map((item) => (unmapped.has(item.fontName) ? { ...item, str: '' } : item)), unmapped, symbols };
}
