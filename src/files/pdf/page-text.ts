import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent, TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.d.ts';
import { UnreadableFile } from '../document.ts';
import { type AnnotationText, annotationText } from './annotation-text.ts';
import { withDingbats } from './dingbats.ts';
import { ANNOTATION_FONT } from './line-parts.ts';
import type { Dictionaries } from './parser-maps.ts';
import { SOFT_HYPHEN } from './parser-guard.ts';
import type { UnreadKind } from './parser-losses.ts';

/** A text item of a page. */
export interface PageItem extends TextItem {
  /** What its glyphs say, where the text is another. */
  readonly drawn?: string;
}

/** The text of a page as pdf.js and its text layer know it, the text of annotations last. */
export interface PageText extends TextContent {
  readonly items: PageItem[];
  /** Index of the first item that an annotation draws. */
  readonly ownItems: number;
  readonly unread: readonly UnreadKind[];
}

/** Most text items of a page, empty ones included: ten times those of a page full of small numbers. */
const MAX_ITEMS = 200_000;

const NO_ANNOTATIONS: AnnotationText = { items: [], unread: [] };

/**
 * The text items of a page. The reader and the text layer take them from here, so that both count the same.
 *
 * @param mayHaveAnnotations  false for a page that is known to have none
 * @throws {UnreadableFile} `too_long`
 */
export async function pageText(
  page: PDFPageProxy,
  dictionaries: Dictionaries,
  mayHaveAnnotations = true,
): Promise<PageText> {
  const [{ items: own, styles, lang }, annotations] = await Promise.all([
    ownText(page, dictionaries),
    mayHaveAnnotations ? annotationText(page) : NO_ANNOTATIONS,
  ]);
  const named = dictionaries.hasDingbats ? await withDingbats(page, own) : own;
  const items = [...named, ...annotations.items];
  if (annotations.items.length > 0)
    styles[ANNOTATION_FONT] = { ascent: 0.9, descent: -0.2, vertical: false, fontFamily: 'sans-serif' };
  return { items, styles, lang, ownItems: own.length, unread: annotations.unread };
}

/** Forms of Arabic letters within words, which pdf.js leaves as they are drawn. */
const DRAWN_FORMS = /[\uFE70-\uFEFC]/g;

function lettersOf(text: string): string {
  return text.replaceAll(DRAWN_FORMS, (form) => form.normalize('NFKC'));
}

/** The text of a page without its annotations. */
async function ownText(
  page: PDFPageProxy,
  { actualTexts }: Dictionaries,
): Promise<Pick<PageText, 'items' | 'styles' | 'lang'>> {
  const styles: TextContent['styles'] = {};
  const items: PageItem[] = [];
  const replace = createReplacement(actualTexts);
  let lang: string | null = null;
  const stream = page.streamTextContent({ includeMarkedContent: true }) as ReadableStream<TextContent>;
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    Object.assign(styles, read.value.styles);
    lang ??= read.value.lang;
    for (const item of read.value.items)
      if ('str' in item) items.push(replace.item(item.dir === 'rtl' ? { ...item, str: lettersOf(item.str) } : item));
      else replace.mark(item);
    if (items.length > MAX_ITEMS)
      throw new UnreadableFile('too_long', `more than ${MAX_ITEMS} items on page ${page.pageNumber}`);
  }
  return { items, styles, lang };
}

/** Replaces the text of the glyphs in marked content by its `/ActualText`: the first item with text gets it, the others become empty. */
function createReplacement(actualTexts: Dictionaries['actualTexts']) {
  let depth = 0; // of marked content within that with a text
  let text: string | null = null;
  return {
    mark({ type, id }: TextMarkedContent): void {
      if (depth > 0) depth += type === 'endMarkedContent' ? -1 : 1;
      else if (type !== 'endMarkedContent') {
        text = actualTexts.get(Number(/_mc(\d+)$/.exec(id ?? '')?.[1])) ?? null;
        if (text !== null) depth = 1;
      }
    },
    item(item: PageItem): PageItem {
      if (depth === 0 || item.str.trim() === '') return item;
      const str = (text ?? '').replaceAll('\u00AD', SOFT_HYPHEN);
      text = null;
      return { ...item, str, drawn: item.str };
    },
  };
}
