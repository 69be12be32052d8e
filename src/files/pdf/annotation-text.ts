import './native-functions.ts'; // first: it stores the functions that the next import replaces
import { AnnotationMode, OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.d.ts';
import { UnreadableFile } from '../document.ts';
import type { UnreadKind } from './parser-losses.ts';
import { ANNOTATION_FONT } from './line-parts.ts';
import { turned } from './text-frame.ts';

/** What pdf.js knows of an annotation; fields are widgets. @source pdfjs-dist 5.6.205, `Annotation.data` */
interface Annotation {
  readonly id: string;
  readonly subtype: string | null;
  readonly annotationFlags: number;
  readonly rect: readonly [number, number, number, number];
  readonly rotation?: number;
  readonly hasAppearance: boolean;
  readonly contentsObj?: { readonly str: string };
  readonly textContent?: readonly string[];
  readonly defaultAppearanceData?: { readonly fontSize?: number };
  readonly fieldType?: string | null;
  readonly fieldValue?: string | readonly string[] | null;
  readonly password?: boolean;
  readonly multiLine?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: string;
  readonly buttonValue?: string | null;
  readonly options?: readonly { readonly exportValue: string | null; readonly displayValue: string | null }[];
}

/** Flags Hidden and NoView. @source ISO 32000-1, table 165 */
const HIDDEN = 2 | 32;

/** Kinds that draw lines, areas or a symbol, and kinds whose text is elsewhere. */
const WITHOUT_TEXT = new Set(
  'Link Popup Text Highlight Underline Squiggly StrikeOut Ink Square Circle Line PolyLine Polygon Caret FileAttachment'.split(
    ' ',
  ),
);

/** What the annotations of a page add to its text, and the kind of each part of them that is not read. */
export interface AnnotationText {
  readonly items: readonly TextItem[];
  readonly unread: readonly UnreadKind[];
}

/** Most lines that the annotations of a page draw; each is put into its place among the others. */
const MAX_LINES = 2_000;

/**
 * The text of a page's form fields, notes on the page, stamps and the like.
 *
 * @throws {UnreadableFile} `too_long`
 */
export async function annotationText(page: PDFPageProxy): Promise<AnnotationText> {
  const all: readonly Annotation[] = await page.getAnnotations({ intent: 'display' });
  const shown = all.filter(({ annotationFlags, subtype }) => !(annotationFlags & HIDDEN) && subtype !== 'Popup');
  const isDrawn = (one: Annotation) =>
    linesOf(one) === null && one.hasAppearance && !WITHOUT_TEXT.has(one.subtype ?? '');
  const drawn = shown.some(isDrawn) ? await drawnTexts(page) : new Map<string, string[]>();
  const items: TextItem[] = [];
  const unread: UnreadKind[] = [];
  for (const one of shown) {
    const lines = linesOf(one) ?? drawn.get(one.id) ?? [];
    if (items.length + lines.length > MAX_LINES)
      throw new UnreadableFile('too_long', `page ${page.pageNumber}: annotations`);
    items.push(...itemsOf(one, lines));
    const loss = lossOf(one, lines.length > 0);
    if (loss) unread.push(loss);
    if (one.subtype === 'StrikeOut') unread.push('struck_text');
  }
  return { items, unread };
}

/** Text lines of a field or of a note on the page; null for what only its drawing shows. */
function linesOf(one: Annotation): readonly string[] | null {
  if (one.subtype === 'FreeText') return one.textContent ?? [];
  if (one.password) return [];
  switch (one.fieldType) {
    case 'Tx':
      return one.textContent ?? valuesOf(one).flatMap((value) => value.split(/\r\n?|\n/));
    case 'Ch':
      return valuesOf(one).map(
        (value) => one.options?.find((option) => option.exportValue === value)?.displayValue ?? value,
      );
    case 'Btn':
      if (!one.checkBox && !one.radioButton) return null;
      return [isTicked(one) ? '☒' : '☐'];
    default:
      return null;
  }
}

function valuesOf({ fieldValue }: Annotation): readonly string[] {
  return typeof fieldValue === 'string' ? [fieldValue] : (fieldValue ?? []);
}

/** The state of a button is the name of its drawing; one without drawings has a value alone. */
function isTicked({ fieldValue, exportValue, buttonValue }: Annotation): boolean {
  const on = exportValue ?? buttonValue;
  return on === undefined || on === null ? hasValue(fieldValue) : fieldValue === on;
}

function hasValue(value: Annotation['fieldValue']): boolean {
  return typeof value === 'string' && value !== '' && value !== 'Off';
}

function lossOf(one: Annotation, hasText: boolean): UnreadKind | null {
  const { subtype, radioButton, buttonValue, fieldValue, contentsObj } = one;
  if (radioButton && !buttonValue && hasValue(fieldValue)) return 'field';
  if (subtype === 'FileAttachment') return 'attachment';
  if (hasText || subtype === 'Link') return null;
  if (contentsObj?.str.trim()) return 'comment';
  const [left, bottom, right, top] = one.rect;
  const isEmpty = right - left < 1 || top - bottom < 1;
  const isField = one.fieldType === 'Tx' || one.fieldType === 'Ch' || one.fieldType === 'Btn';
  return one.hasAppearance && !isEmpty && !isField && !WITHOUT_TEXT.has(subtype ?? '') ? 'annotation' : null;
}

/** Operators after which text is on another line, if they go up or down. */
const MOVES = new Set([OPS.setTextMatrix, OPS.moveText, OPS.setLeadingMoveText, OPS.nextLine, OPS.beginText]);

/** A gap of more thousandths of the letters' size is a space. @source pdf.js, `SPACE_IN_FLOW_MIN_FACTOR` */
const SPACE = 102;

/** Lines of text that the annotations of a page draw, by their ids. */
async function drawnTexts(page: PDFPageProxy): Promise<Map<string, string[]>> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE });
  const texts = new Map<string, string[]>();
  let lines: string[] | null = null;
  fnArray.forEach((operator, index) => {
    const given: readonly unknown[] = argsArray[index] ?? [];
    if (operator === OPS.beginAnnotation) texts.set(String(given[0]), (lines = []));
    else if (operator === OPS.endAnnotation) lines = null;
    else if (lines && MOVES.has(operator)) lines.push('');
    else if (lines && operator === OPS.showText) lines.push((lines.pop() ?? '') + glyphsText(given[0]));
  });
  for (const [id, drawn] of texts)
    texts.set(
      id,
      drawn.filter((line) => line.trim() !== ''),
    );
  return texts;
}

/** Text of the glyphs and gaps of an operator. */
export function glyphsText(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return '';
  return glyphs
    .map((glyph: number | { readonly unicode?: string } | null) =>
      typeof glyph === 'number' ? (glyph < -SPACE ? ' ' : '') : (glyph?.unicode ?? ''),
    )
    .join('');
}

/** Size of letters where the file says none, and the largest that is assumed. */
const SIZE = 11;

/** Distance of two lines, share of the size of letters under a baseline, and usual width of one, in their sizes. */
const [LEADING, DESCENT, WIDTH] = [1.2, 0.22, 0.5];

/** Lines of an annotation as items inside its rectangle: a single one in its middle, several from its top. */
function itemsOf(one: Annotation, lines: readonly string[]): TextItem[] {
  const { rect, rotation = 0, defaultAppearanceData } = one;
  const [left, bottom, right, top] = rect;
  const isUpright = rotation % 180 === 0;
  const [width, height] = isUpright ? [right - left, top - bottom] : [top - bottom, right - left];
  const shown = lines.filter((line) => line.trim() !== '');
  const size = Math.min(
    defaultAppearanceData?.fontSize || SIZE,
    Math.max(1, height / (LEADING * Math.max(1, shown.length))),
  );
  const first = shown.length === 1 ? (height + size) / 2 - size : height - size;
  return shown.map((str, index) => {
    const [x, y] = turned(-width / 2, first + DESCENT * size - index * LEADING * size - height / 2, rotation);
    const [a, b] = turned(size, 0, rotation);
    return {
      str,
      dir: 'ltr',
      width: Math.min(width, WIDTH * size * str.length),
      height: size,
      transform: [a, b, -b, a, (left + right) / 2 + x, (bottom + top) / 2 + y],
      fontName: ANNOTATION_FONT,
      hasEOL: index === shown.length - 1, // its lines belong together
    };
  });
}
