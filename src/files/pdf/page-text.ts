import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.d.ts';
import { UnreadableFile } from '../document.ts';
import { type AnnotationText, annotationText } from './annotation-text.ts';
import { ANNOTATION_FONT } from './line-parts.ts';
import type { UnreadKind } from './parser-losses.ts';

/** The text of a page as pdf.js and its text layer know it, the text of annotations last. */
export interface PageText extends TextContent {
  readonly items: TextItem[];
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
export async function pageText(page: PDFPageProxy, mayHaveAnnotations = true): Promise<PageText> {
  const [{ items: own, styles, lang }, annotations] = await Promise.all([
    ownText(page),
    mayHaveAnnotations ? annotationText(page) : NO_ANNOTATIONS,
  ]);
  const items = [...own, ...annotations.items];
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
async function ownText(page: PDFPageProxy): Promise<Pick<PageText, 'items' | 'styles' | 'lang'>> {
  const styles: TextContent['styles'] = {};
  const items: TextItem[] = [];
  let lang: string | null = null;
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    Object.assign(styles, read.value.styles);
    lang ??= read.value.lang;
    for (const item of read.value.items)
      if ('str' in item) items.push(item.dir === 'rtl' ? { ...item, str: lettersOf(item.str) } : item);
    if (items.length > MAX_ITEMS)
      throw new UnreadableFile('too_long', `more than ${MAX_ITEMS} items on page ${page.pageNumber}`);
  }
  return { items, styles, lang };
}
