import type { PageItem, PageText } from './page-text.ts';
import { INK } from './guard/graphics-state.ts';
import type { Dictionaries } from './guard/parser-maps.ts';

/** Letters of fewer 72nds of an inch are not seen on paper. */
const MIN_SIZE = 2;

/**
 * The items of a page with spaces in place of text that is not seen: invisible, in the colour of what is below it, or too small.
 * Invisible text over a picture stays: it is what was recognised in a scan.
 *
 * @param unit  72nds of an inch in a unit of the page
 */
export function withoutUnseen(
  { items, ownItems, styles }: Pick<PageText, 'items' | 'ownItems' | 'styles'>,
  { pictures }: Dictionaries,
  unit: number,
): Pick<PageText, 'items'> & { readonly hasUnseen: boolean } {
  const isOnPicture = ({ transform, height }: PageItem) => {
    const [, , , , x = 0, y = 0] = transform.map(Number);
    return pictures.some(
      ([left, bottom, right, top]) =>
        x > left - height && x < right + height && y > bottom - height && y < top + height,
    );
  };
  const isTiny = ({ str, width, height, fontName }: PageItem) => {
    const size = styles[fontName]?.vertical ? width : height;
    const along = styles[fontName]?.vertical ? height : width; // fonts that draw their glyphs may have any size
    return Math.max(size, along / str.length) * unit < MIN_SIZE;
  };
  let hasUnseen = false;
  const seen = items.map((item, index) => {
    const isUnseen = item.drawnAs === 'invisible' ? !isOnPicture(item) : item.drawnAs === 'unseen' || isTiny(item);
    if (index >= ownItems || !INK.test(item.str) || !isUnseen) return item;
    hasUnseen = true;
    return { ...item, str: ' '.repeat(item.str.length) };
  });
  return { items: seen, hasUnseen };
}
