import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent, TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.d.ts';
import { withoutInvisible } from '../../contract/wire/invisible-text.ts';
import { UnreadableFile } from '../document.ts';
import { type AnnotationText, annotationText } from './annotation-text.ts';
import { withDingbats } from './dingbats.ts';
import { ANNOTATION_FONT } from './line-parts.ts';
import { DRAWN_AS } from './guard/page-commands.ts';
import type { Dictionaries } from './guard/parser-maps.ts';
import { SOFT_HYPHEN } from './guard/parser-guard.ts';
import type { FileSurvey } from './file-survey.ts';
import type { UnreadKind } from './parser-losses.ts';

/** A text item of a page. */
export interface PageItem extends TextItem {
  /** What its glyphs say, where the text is another. */
  readonly drawn?: string;
  /** How it is drawn, if it may not be seen. */
  readonly drawnAs?: keyof typeof DRAWN_AS;
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
 * @param mayHave  whether the page may have annotations, and texts of its structure
 * @throws {UnreadableFile} `too_long`
 */
export async function pageText(
  page: PDFPageProxy,
  dictionaries: Dictionaries,
  mayHave: FileSurvey['mayHave'] = () => true,
): Promise<PageText> {
  const isStructured = mayHave('StructTreeRoot') && mayHave('ActualText');
  const [first, annotations] = await Promise.all([
    ownText(page, dictionaries, isStructured),
    mayHave('Annots') ? annotationText(page) : NO_ANNOTATIONS,
  ]);
  const {
    items: own,
    styles,
    lang,
  } = dictionaries.hasCovered ? await ownText(page, dictionaries, isStructured) : first;
  const named = dictionaries.hasDingbats ? await withDingbats(page, own) : own;
  const { items, unread } = withoutCarriers([...named, ...annotations.items]);
  if (annotations.items.length > 0)
    styles[ANNOTATION_FONT] = { ascent: 0.9, descent: -0.2, vertical: false, fontFamily: 'sans-serif' };
  return { items, styles, lang, ownItems: own.length, unread: [...annotations.unread, ...unread] };
}

/** The items without invisible characters that carry text: fields and texts of the file in place of glyphs may have them. */
function withoutCarriers(items: readonly PageItem[]): Pick<PageText, 'unread'> & { readonly items: PageItem[] } {
  const unread: UnreadKind[] = [];
  const shown = items.map((item) => {
    const { text, count } = withoutInvisible(item.str);
    if (count === 0) return item;
    unread.push('hidden_text');
    return { ...item, str: text, drawn: item.drawn ?? item.str };
  });
  return { items: shown, unread };
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
  isStructured: boolean,
): Promise<Pick<PageText, 'items' | 'styles' | 'lang'>> {
  const styles: TextContent['styles'] = {};
  const items: PageItem[] = [];
  const replace = createReplacement(actualTexts, isStructured ? structureTexts(await page.getStructTree()) : new Map());
  let lang: string | null = null;
  const stream = page.streamTextContent({ includeMarkedContent: true }) as ReadableStream<TextContent>;
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const [font, style] of Object.entries(read.value.styles)) styles[ownFont(font).fontName] ??= style;
    lang ??= read.value.lang;
    for (const item of read.value.items)
      if ('str' in item) {
        const str = item.dir === 'rtl' ? lettersOf(item.str) : item.str;
        items.push(replace.item({ ...item, str, ...ownFont(item.fontName) }));
      } else replace.mark(item);
    if (items.length > MAX_ITEMS)
      throw new UnreadableFile('too_long', `more than ${MAX_ITEMS} items on page ${page.pageNumber}`);
  }
  return { items, styles, lang };
}

/** The name of a font as the file has it, and how its text is drawn. */
function ownFont(fontName: string): Pick<PageItem, 'fontName' | 'drawnAs'> {
  for (const [drawnAs, mark] of Object.entries(DRAWN_AS) as [keyof typeof DRAWN_AS, string][])
    if (fontName.endsWith(mark)) return { fontName: fontName.slice(0, -mark.length), drawnAs };
  return { fontName };
}

/** A text for what is drawn, which becomes empty when it has been given once. */
interface Given {
  text: string;
}

interface StructureNode {
  /** Its `/ActualText`: see `reportingMap`. */
  readonly alt?: string;
  readonly id?: string;
  readonly children?: readonly StructureNode[];
}

/** The texts that elements of a page's structure have, by the marked content below them. @source ISO 32000-1, section 14.7 */
function structureTexts(root: StructureNode | null): Map<string, Given> {
  const texts = new Map<string, Given>();
  const seen = new Set<string>();
  const take = ({ alt, id, children = [] }: StructureNode, around: Given | null) => {
    const given = around ?? (alt === undefined ? null : { text: alt });
    if (id !== undefined && given) texts.set(id, given);
    if (id !== undefined && seen.has(id)) texts.delete(id); // a form on the page has the same numbers
    if (id !== undefined) seen.add(id);
    for (const child of children) take(child, given);
  };
  if (root) take(root, null);
  return texts;
}

/** Replaces the text of the glyphs in marked content by its `/ActualText`: the first item with text gets it, the others become empty. */
function createReplacement(actualTexts: Dictionaries['actualTexts'], structure: ReadonlyMap<string, Given>) {
  let depth = 0; // of marked content within that with a text
  let given: Given = { text: '' };
  const givenFor = (id = ''): Given | undefined => {
    const text = actualTexts.get(Number(/_mc(\d+)$/.exec(id)?.[1]));
    return text === undefined ? structure.get(id) : { text };
  };
  return {
    mark({ type, id }: TextMarkedContent): void {
      if (depth > 0) depth += type === 'endMarkedContent' ? -1 : 1;
      else if (type !== 'endMarkedContent') {
        const found = givenFor(id ?? '');
        if (found) [given, depth] = [found, 1];
      }
    },
    item(item: PageItem): PageItem {
      if (depth === 0 || item.str.trim() === '') return item;
      const str = given.text.replaceAll('\u00AD', SOFT_HYPHEN);
      given.text = '';
      return { ...item, str, drawn: item.str };
    },
  };
}
