import './native-functions.ts'; // first: it stores the functions that the next import replaces
import { AnnotationMode, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { glyphsText } from './annotation-text.ts';
import type { PageText } from './page-text.ts';

/** Which layers of a file are shown. */
type Layers = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>;

/** The layers of a file; null where it hides none. @source ISO 32000-1, section 8.11 */
export async function hiddenLayersOf(pdf: PDFDocumentProxy): Promise<Layers | null> {
  const layers = await pdf.getOptionalContentConfig();
  const groups: readonly (readonly [string, { readonly visible: boolean }])[] = [...layers];
  return groups.every(([, { visible }]) => visible) ? null : layers;
}

/** White space and invisible characters, which pdf.js adds and leaves out. */
const WITHOUT_INK = /[\s\p{Cf}\p{Cc}]/gu;

/** Letters as pdf.js may write them, or the glyphs: decomposed, so that a text has as many as its characters have. */
const lettersOf = (text: string) => text.replaceAll(WITHOUT_INK, '').normalize('NFKD').replaceAll(WITHOUT_INK, '');

/**
 * The items of a page with spaces in place of what hidden layers draw. The parser reads these as all others; only its list of what
 * is drawn, which has the same letters in the same order, says what belongs to a layer.
 *
 * @edge  where the numbers of letters differ, the items are returned as they are
 */
export async function withoutHidden(
  page: PDFPageProxy,
  { items, ownItems }: Pick<PageText, 'items' | 'ownItems'>,
  layers: Layers,
): Promise<Pick<PageText, 'items'> & { readonly hasHidden: boolean }> {
  const isShown = await shownLetters(page, layers);
  const counts = items.slice(0, ownItems).map(({ str, drawn = str }) => lettersOf(drawn).length);
  const isSame = counts.reduce((sum, count) => sum + count, 0) === isShown.length;
  if (!isSame || !isShown.includes(false)) return { items, hasHidden: false };
  let at = 0;
  const kept = items.slice(0, ownItems).map((item) => {
    const { drawn } = item;
    if (drawn !== undefined) {
      const isHidden = isShown[at] === false;
      at += lettersOf(drawn).length;
      return isHidden ? { ...item, str: ' '.repeat(item.str.length) } : item;
    }
    const str = item.str.replaceAll(/./gsu, (character) => {
      const isHidden = isShown[at] === false;
      const letters = lettersOf(character).length;
      at += letters;
      return letters > 0 && isHidden ? ' '.repeat(character.length) : character;
    });
    return { ...item, str };
  });
  return { items: [...kept, ...items.slice(ownItems)], hasHidden: true };
}

/** Whether each letter that a page draws, without those of annotations, is shown. */
async function shownLetters(page: PDFPageProxy, layers: Layers): Promise<boolean[]> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const shown: boolean[] = [];
  const around = [true]; // of the parts of the page that are open
  fnArray.forEach((operator, index) => {
    const given: readonly unknown[] = argsArray[index] ?? [];
    const isShown = around.at(-1) !== false;
    if (operator === OPS.beginMarkedContent) around.push(isShown);
    else if (operator === OPS.beginMarkedContentProps)
      around.push(isShown && (given[0] !== 'OC' || Boolean(layers.isVisible(given[1]))));
    else if (operator === OPS.endMarkedContent) around.pop();
    else if (operator === OPS.showText)
      shown.push(...Array.from({ length: lettersOf(glyphsText(given[0])).length }, () => isShown));
  });
  return shown;
}
