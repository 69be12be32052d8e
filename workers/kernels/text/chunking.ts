import type { Span } from '../../../src/contract/code-points.ts';
import { textSections } from './granularity.ts';

/** Any tokenisation; a chunk keeps its own, because a reader needs the same one again. */
interface Tokens {
  readonly ids: readonly number[];
}

/** A stretch of a text that is read in one go. */
export interface Chunk<Tokenized extends Tokens> {
  /** UTF-16 units of the text; it neither begins nor ends with white space. */
  readonly span: Span;
  readonly tokenized: Tokenized;
}

/** How a text is to be cut. */
export interface ChunkOptions<Tokenized extends Tokens> {
  /** Tokens of a chunk at most; ≥ 4, because one character may take so many. */
  readonly limit: number;
  readonly tokenize: (text: string) => Tokenized;
  /** UTF-16 units of the longest token: a part that is longer than `limit` of them is not tokenised needlessly. */
  readonly longestPiece: number;
}

/** A UTF-8 character has up to so many bytes, and a byte-level tokeniser may give each a token of its own. */
const MOST_TOKENS_OF_A_CHARACTER = 4;

/**
 * Cuts a text into chunks of at most `limit` tokens, each as long as it can be: at the ends of paragraphs, within one that
 * is too long at the ends of sentences, then between words, then anywhere between characters.
 *
 * Chunks do not overlap: an answer is given for each, so what stands in two would be answered twice. A sentence is whole
 * in its chunk, which is what an answer needs; only one longer than a chunk is torn.
 *
 * @returns chunks in order, none blank; together they hold all of the text but white space between them
 */
export function* chunksOf<Tokenized extends Tokens>(
  text: string,
  options: ChunkOptions<Tokenized>,
): Generator<Chunk<Tokenized>> {
  let open: Part[] = [];
  for (const part of partsOf(text, whole(text), LEVELS, options)) {
    while (open.length > 0 && sumOf(open) + part.tokenCount > options.limit) {
      const { chunk, rest } = closed(text, open, options);
      yield chunk;
      open = rest;
    }
    open.push(part);
  }
  while (open.length > 0) {
    const { chunk, rest } = closed(text, open, options);
    yield chunk;
    open = rest;
  }
}

/** A stretch that fits a chunk. */
interface Part {
  readonly span: Span;
  /** Its own tokens, and the line ends before it: beside its neighbours it may take one more or less. */
  readonly tokenCount: number;
}

type Cut = (text: string, limit: number) => Span[];

/** From coarse to fine; the last always fits. */
const LEVELS: readonly Cut[] = [
  (text) => (text.trim() === '' ? [] : [trimmed(text)]),
  (text) => textSections({ text, spans: [] }, { type: 'paragraph' }),
  (text) => textSections({ text, spans: [] }, { type: 'sentence' }),
  (text) => [...text.matchAll(/\S+/g)].map(({ index, 0: { length } }) => ({ start: index, length })),
  (text, limit) => runsOf(text, Math.floor(limit / MOST_TOKENS_OF_A_CHARACTER)),
];

function* partsOf<Tokenized extends Tokens>(
  text: string,
  within: Span,
  [cut, ...finer]: readonly Cut[],
  options: ChunkOptions<Tokenized>,
): Generator<Part> {
  if (!cut) return;
  let end = within.start;
  for (const { start, length } of cut(sliceOf(text, within), options.limit)) {
    const span = { start: within.start + start, length };
    const count = countOf(sliceOf(text, span), options);
    const before = text.slice(end, span.start).replaceAll(/[^\n]/g, '').length;
    if (count <= options.limit || finer.length === 0) yield { span, tokenCount: before + count };
    else yield* partsOf(text, span, finer, options);
    end = span.start + length;
  }
}

function countOf<Tokenized extends Tokens>(text: string, { limit, tokenize, longestPiece }: ChunkOptions<Tokenized>) {
  return text.length > limit * longestPiece ? Infinity : tokenize(text).ids.length;
}

/** The longest run of parts from the first on that fits; what each takes alone was only an estimate. */
function closed<Tokenized extends Tokens>(text: string, parts: readonly Part[], options: ChunkOptions<Tokenized>) {
  const [first] = parts;
  if (!first) throw new RangeError('expected at least one part, got none');
  for (let count = parts.length; ; count--) {
    const { span } = parts[count - 1] ?? first;
    const whole = { start: first.span.start, length: span.start + span.length - first.span.start };
    const tokenized = options.tokenize(sliceOf(text, whole));
    if (tokenized.ids.length <= options.limit || count <= 1)
      return { chunk: { span: whole, tokenized }, rest: parts.slice(Math.max(count, 1)) };
  }
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}

function runsOf(text: string, characters: number): Span[] {
  const runs: Span[] = [];
  let start = 0;
  let count = 0;
  let end = 0;
  for (const character of text) {
    end += character.length;
    if (++count < characters) continue;
    runs.push({ start, length: end - start });
    start = end;
    count = 0;
  }
  return start < end ? [...runs, { start, length: end - start }] : runs;
}

function whole(text: string): Span {
  return { start: 0, length: text.length };
}

function trimmed(text: string): Span {
  return { start: text.length - text.trimStart().length, length: text.trim().length };
}

function sliceOf(text: string, { start, length }: Span): string {
  return text.slice(start, start + length);
}
