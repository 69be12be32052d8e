import './native-functions.ts'; // first: it stores the functions that the next import replaces
import { AnnotationMode, OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { LinePart, Row, Segment } from './line-parts.ts';

/** Single letters with spaces between them. */
const SPACED = /^\p{L}(?: \p{L})*$/u;

/** Fewer letters, or fewer distinct ones, may be initials, choices, or marks in a row of boxes. */
const [MIN_LETTERS, MIN_DISTINCT] = [5, 3];

/** Widest gap within an item of pdf.js, and widest between letters of a word, in heights of them. */
const [WITHIN_ITEM, WIDEST] = [0.6, 1.5];

/** The gap between two words is at least this many times that between their letters. */
const WORD_GAP = 1.3;

/** What a page draws, with no spaces but its own: pdf.js puts some into wide gaps. */
export async function drawnText(page: PDFPageProxy): Promise<string> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const glyphs: readonly unknown[] = fnArray.flatMap((operator, index): readonly unknown[] =>
    operator === OPS.showText ? ((argsArray[index] as unknown[][])[0] ?? []) : [],
  );
  return glyphs
    .map((glyph) => (typeof glyph === 'object' && glyph !== null && 'unicode' in glyph ? String(glyph.unicode) : ''))
    .join('');
}

/** Whether a text has letters that are set apart, so that `drawnText` is worth its time. */
export function isSpaced(text: string): boolean {
  return text.length > 4 && SPACED.test(text.trim());
}

/**
 * The parts of segments that are words with letters set apart, as in `C O N T R A C T`, each with a space before it but the first.
 * Words are told by the spaces that the page draws and by wider gaps.
 *
 * @param drawn  of the page, by `drawnText`
 */
export function spacedParts(row: Row, drawn: string): ReadonlyMap<Segment, readonly LinePart[]> {
  const parts = new Map<Segment, LinePart[]>();
  for (const group of spacedGroups(row)) {
    const letters = group.flatMap((segment) => lettersOf(segment).map((letter) => ({ ...letter, segment })));
    const breaks = new Set([...drawnBreaks(letters, drawn), ...wideBreaks(group)]);
    const text = letters.map((letter, i) => (breaks.has(i) ? ' ' : '') + letter.text).join('');
    if (!isHeading(text)) continue;
    for (const [i, { segment, ...letter }] of letters.entries()) {
      const own = parts.get(segment) ?? [];
      parts.set(segment, own);
      if (breaks.has(i)) own.push({ item: null, from: 0, text: ' ' });
      own.push(letter);
    }
  }
  return parts;
}

/** Segments of single letters next to each other, with even gaps. */
function spacedGroups(row: Row): Segment[][] {
  const groups: Segment[][] = [];
  let last: Segment | undefined;
  for (const segment of row) {
    const isNext = last && last.height === segment.height;
    const isLetters = SPACED.test(textOf(segment));
    if (isLetters && isNext) groups.at(-1)?.push(segment);
    else if (isLetters) groups.push([segment]);
    last = isLetters ? segment : undefined;
  }
  return groups.filter((group) => usualGap(group) <= WIDEST);
}

function textOf({ runs }: Segment): string {
  return runs
    .map(({ text }) => text)
    .join('')
    .trim();
}

function lettersOf({ runs }: Segment): LinePart[] {
  return runs.flatMap(({ item, text }) =>
    Array.from(text.matchAll(/\S/gu), ({ 0: letter, index }) => ({ item, from: index, text: letter })),
  );
}

function gapsOf(group: readonly Segment[]): number[] {
  return group.slice(1).map(({ left, height }, i) => (left - (group[i]?.right ?? 0)) / height);
}

function usualGap(group: readonly Segment[]): number {
  const isWithin = group.some((segment) => textOf(segment).includes(' '));
  return isWithin ? WITHIN_ITEM : Math.min(...gapsOf(group), Infinity);
}

/** Indexes of the letters after a wide gap. */
function wideBreaks(group: readonly Segment[]): number[] {
  const usual = usualGap(group);
  let index = 0;
  return gapsOf(group).flatMap((gap, i) => {
    index += lettersOf(group[i] as Segment).length;
    return gap > WORD_GAP * usual ? [index] : [];
  });
}

/** Indexes of the letters after a space that the page draws; none where it draws one between all letters. */
function drawnBreaks(letters: readonly LinePart[], drawn: string): number[] {
  const [found = ''] = new RegExp(letters.map(({ text }) => text).join(' *'), 'u').exec(drawn) ?? [];
  const words = found.split(/ +/);
  if (words.length >= letters.length) return [];
  let index = 0;
  return words.slice(0, -1).map((word) => (index += word.length));
}

/** Whether words look like those of a heading, rather than grades, days of the week or variables. */
function isHeading(text: string): boolean {
  const letters = text.replaceAll(' ', '');
  const distinct = new Set(letters);
  const isLatin = /\p{Script=Latin}/u.test(text);
  const isListed = [...letters].every((letter, i, all) => i === 0 || letter > (all[i - 1] ?? ''));
  const isCased = text.split(' ').every((word) => /^(?:\p{Lu}\p{Ll}*|\P{Ll}+)$/u.test(word));
  if (letters.length < MIN_LETTERS || distinct.size < MIN_DISTINCT || isListed || !isCased) return false;
  return !isLatin || (/[aeiou]/i.test(text.normalize('NFD')) && !/^[A-F ]+$/.test(text));
}
