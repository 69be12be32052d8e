import type { Span } from '../../../src/contract/code-points.ts';
import type { ItemPart } from '../../../src/protocol/prompt.ts';
import type { Granularity } from '../../../src/protocol/target-jobs.ts';
import { pictureSections, type TileGrid } from '../images/image-tiles.ts';
import { sentencesOf } from './sentences.ts';
import { piecesOf } from './words.ts';

/** A text with the spans of its tokens, UTF-16. */
export interface TokenizedSpans {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Number of sections that *auto* aims for. @source contract facts §1.5 */
const AUTO_SECTIONS = 30;

const AUTO_CANDIDATES = ['token', 'word', 'sentence', 'paragraph'] as const;

/**
 * Sections of one text.
 *
 * - token: the token's span as the contract reports it; tokens of no length are left out
 * - word: words and numbers; a run of punctuation or symbols is a section of its own, and so is each picture character
 * - sentence: sentences, spaces around them dropped
 * - paragraph: parted by blank lines, single newlines stay inside
 * - custom: parted by the delimiter, which belongs to no section; empty parts are dropped
 *
 * @returns  UTF-16 spans in order, never overlapping, none empty; by word, sentence or paragraph every character but
 *           white space is in one
 * @source   contract facts §1.5; what a word and a sentence are is decided in `words.ts` and `sentences.ts`
 */
export function textSections({ text, spans }: TokenizedSpans, granularity: Granularity): Span[] {
  switch (granularity.type) {
    case 'token':
      return distinct(spans.filter(({ length }) => length > 0));
    case 'word':
      return piecesOf(text).map(({ start, length }) => ({ start, length }));
    case 'sentence':
      return sentencesOf(text);
    case 'paragraph':
      return partsOf(text, /\n[^\S\n]*(?:\n[^\S\n]*)+/g).flatMap((part) => nonEmpty(trimmedSpan(text, part)));
    case 'custom':
      return partsBetween(text, granularity.delimiter);
  }
}

/** What sections are cut from. */
export type Sectioned =
  | { readonly type: 'text'; readonly tokenized: TokenizedSpans }
  | { readonly type: 'image'; readonly seen: { readonly grid: TileGrid } }
  | { readonly type: 'token_ids'; readonly count: number };

/** Sections of one item: token ids are explained one by one, whatever the granularity. @source contract facts §1.5 */
export function partsOfItem(item: Sectioned, granularity: Granularity): ItemPart[] {
  switch (item.type) {
    case 'text':
      return textSections(item.tokenized, granularity).map((span) => ({ span }));
    case 'image':
      return pictureSections(granularity.type, item.seen.grid).map((rect) => ({ rect }));
    case 'token_ids':
      return Array.from({ length: item.count }, (_, index) => ({ index }));
  }
}

/** The granularity whose number of sections in all items is nearest to 30; of two that are equally near, the finer. */
export function autoGranularity(items: readonly Sectioned[]): Granularity {
  const distances = AUTO_CANDIDATES.map((type) => {
    const count = items.reduce((sum, item) => sum + partsOfItem(item, { type }).length, 0);
    return { type, distance: Math.abs(count - AUTO_SECTIONS) };
  });
  const nearest = distances.reduce((best, next) => (next.distance < best.distance ? next : best));
  return { type: nearest.type };
}

/** Tokens that hold parts of one character share its span; it is listed once. */
function distinct(spans: readonly Span[]): Span[] {
  return spans.filter((span, i) => {
    const before = spans[i - 1];
    return !before || span.start !== before.start || span.length !== before.length;
  });
}

function partsOf(text: string, separator: RegExp): Span[] {
  let start = 0;
  const parts: Span[] = [];
  for (const match of text.matchAll(separator)) {
    parts.push({ start, length: match.index - start });
    start = match.index + match[0].length;
  }
  parts.push({ start, length: text.length - start });
  return parts.filter(({ length }) => length > 0);
}

function trimmedSpan(text: string, { start, length }: Span): Span {
  const part = text.slice(start, start + length);
  return { start: start + part.length - part.trimStart().length, length: part.trim().length };
}

function nonEmpty(span: Span): Span[] {
  return span.length > 0 ? [span] : [];
}

/** A delimiter is taken literally, whatever its characters mean elsewhere. */
function partsBetween(text: string, delimiter: string): Span[] {
  let start = 0;
  const parts = text.split(delimiter).map(({ length }) => {
    const part = { start, length };
    start += length + delimiter.length;
    return part;
  });
  return parts.filter(({ length }) => length > 0);
}
