import type { Span } from '../../src/contract/code-points.ts';
import { textSections, wordTexts } from './text-sections.ts';

/** Any tokenisation; chunks contain theirs, because a reader needs it again. */
interface Tokens {
  readonly ids: readonly number[];
}

interface Chunk<Tokenized extends Tokens> {
  /** UTF-16 units of the text; it neither begins nor ends with white space. */
  readonly span: Span;
  readonly tokenized: Tokenized;
}

interface ChunkOptions<Tokenized extends Tokens> {
  /** Maximum tokens of a chunk; ≥ 4, because one character may take four. */
  readonly limit: number;
  readonly tokenize: (text: string) => Tokenized;
  /** UTF-16 units of the longest token: a part longer than `limit` of them need not be tokenised. */
  readonly longestPiece: number;
}

/** A UTF-8 character has up to four bytes, and a byte-level tokeniser may give each a token of its own. */
const MAX_TOKENS_OF_A_CHARACTER = 4;

/**
 * Splits a text into chunks of at most `limit` tokens, each as long as possible: at the ends of paragraphs, within one that is too
 * long at the ends of sentences, then between words, then between characters.
 *
 * Chunks do not overlap: each has an answer, so a text in two of them would be answered twice. Only sentences longer than a
 * chunk are split, because an answer needs a whole sentence.
 *
 * @returns chunks in order, none blank; together they hold all of the text but white space between them
 */
export function* chunksOf<Tokenized extends Tokens>(
  text: string,
  options: ChunkOptions<Tokenized>,
): Generator<Chunk<Tokenized>> {
  let open: Part[] = [];
  for (const part of partsOf(text, { start: 0, length: text.length }, LEVELS, options)) {
    while (open.length > 0 && open.reduce((sum, { tokenCount }) => sum + tokenCount, part.tokenCount) > options.limit)
      open = yield* closed(text, open, options);
    open.push(part);
  }
  while (open.length > 0) open = yield* closed(text, open, options);
}

interface Part {
  readonly span: Span;
  /** Its tokens, and the line ends before it: next to its neighbours it may take one more or less. */
  readonly tokenCount: number;
}

type Cut = (text: string, limit: number) => Span[];

/** From coarse to fine; the last always fits. */
const LEVELS: readonly Cut[] = [
  (text) => (text.trim() === '' ? [] : [{ start: text.length - text.trimStart().length, length: text.trim().length }]),
  (text) => textSections({ text, spans: [] }, { type: 'paragraph' }),
  (text) => textSections({ text, spans: [] }, { type: 'sentence' }),
  (text) => [...text.matchAll(/\S+/g)].map(({ index, 0: { length } }) => ({ start: index, length })),
  (text, limit) => runsOf(text, Math.floor(limit / MAX_TOKENS_OF_A_CHARACTER)),
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

/** The longest run of parts from the first on that fits; their counts alone were estimates. @returns the parts after it */
function* closed<Tokenized extends Tokens>(
  text: string,
  parts: readonly Part[],
  options: ChunkOptions<Tokenized>,
): Generator<Chunk<Tokenized>, Part[]> {
  const [first] = parts;
  if (!first) throw new RangeError('expected at least one part, got none');
  for (let count = parts.length; ; count--) {
    const { span } = parts[count - 1] ?? first;
    const whole = { start: first.span.start, length: span.start + span.length - first.span.start };
    const tokenized = options.tokenize(sliceOf(text, whole));
    if (tokenized.ids.length > options.limit && count > 1) continue;
    yield { span: whole, tokenized };
    return parts.slice(count);
  }
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

function sliceOf(text: string, { start, length }: Span): string {
  return text.slice(start, start + length);
}

/** BM25's k₁, the saturation of a word's repetition, and b, the weight of a text's length. @source Robertson and Zaragoza 2009, section 3.2 */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * The BM25 of texts for a query, with the word counts of these texts alone.
 *
 * @returns a function of a query; scores ≥ 0, `[texts]`; 0 for a text without a word of the query
 * @source  Robertson and Zaragoza 2009, equation 3.15, with the logarithm kept positive as in Lucene
 */
export function createRelevance(texts: readonly string[]): (query: string) => number[] {
  const counted = texts.map(countsOf);
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const rarityOf = (word: string) => {
    const having = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const words = [...countsOf(query).counts.keys()].map((word) => ({ word, rarity: rarityOf(word) }));
    return counted.map(({ counts, length }) => {
      const longness = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / meanLength);
      return words.reduce((sum, { word, rarity }) => {
        const count = counts.get(word) ?? 0;
        return count === 0 ? sum : sum + (rarity * count * (SATURATION + 1)) / (count + longness);
      }, 0);
    });
  };
}

function countsOf(text: string): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  const words = wordTexts(text);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

interface AnswerSpan {
  /** First and last position. */
  readonly start: number;
  readonly end: number;
  /** Its logits minus those of the null span, "no answer here". */
  readonly margin: number;
}

/** Maximum tokens of an answer. @source the usual bound of SQuAD readers; Devlin et al. 2019, section 4.2 */
const LONGEST_ANSWER = 30;

/**
 * The best span of a sequence, with its margin over the null span, which is position 0.
 *
 * @param start    logits of an answer's first position, `[positions]`
 * @param end      logits of its last position, `[positions]`
 * @param allowed  whether an answer may begin and end at a position, `[positions]`; those between may be any
 * @returns        undefined when no position is allowed
 * @source         Devlin et al. 2019 (BERT), section 4.3: s_i + e_j with j ≥ i, against s_null = s_0 + e_0
 */
export function bestSpan(
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  allowed: readonly boolean[],
): AnswerSpan | undefined {
  const none = (start[0] ?? 0) + (end[0] ?? 0);
  let best: AnswerSpan | undefined;
  allowed.forEach((mayStart, i) => {
    if (!mayStart) return;
    for (let j = i; j < Math.min(i + LONGEST_ANSWER, allowed.length); j++) {
      const margin = (start[i] ?? -Infinity) + (end[j] ?? -Infinity) - none;
      if (allowed[j] && (best === undefined || margin > best.margin)) best = { start: i, end: j, margin };
    }
  });
  return best;
}

/** Runs of digits, and of letters of the scripts that write a space between words. */
const RUNS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+|\p{N}+/gu;

/** A span that begins or ends within a word or a number, because tokens are smaller, extended to all of it; another one as it is. */
export function wholeWords(text: string, { start, length }: Span): Span {
  let [from, to] = [start, start + length];
  for (const { index, 0: run } of text.matchAll(RUNS)) {
    const end = index + run.length;
    if (index < from && from < end) from = index;
    if (index < to && to < end) to = end;
  }
  return { start: from, length: to - from };
}

/** The smallest normal float32: a score stays above 0 even where the sigmoid underflows. */
const MIN_SCORE = 2 ** -126;

/** A number as the score of an answer, in (0, 1]. @source contract facts §1.6 */
export function score(value: number): number {
  return Math.min(Math.max(value, MIN_SCORE), 1);
}

/** A margin as a score, in (0, 1]. */
export function scoreOfMargin(margin: number, { scale, bias }: { scale: number; bias: number }): number {
  return score(1 / (1 + Math.exp(-(scale * margin + bias))));
}
