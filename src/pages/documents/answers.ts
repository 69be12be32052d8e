import type { Span } from '../../contract/code-points.ts';
import type { FileProblem, ReadDocument } from '../../files/document.ts';
import { numberText } from '../../words/language.ts';

/** A file in the list. */
export interface ListedDocument {
  /** Never used again. */
  readonly id: number;
  readonly file: File;
  readonly reading:
    | { readonly kind: 'reading'; /** Null for a file that is not read page by page. */ readonly share: number | null }
    | { readonly kind: 'ready'; readonly document: ReadDocument }
    | { readonly kind: 'unreadable'; readonly problem: FileProblem };
}

/** A file that has been read. */
export interface ReadyDocument {
  readonly id: number;
  readonly file: File;
  readonly document: ReadDocument;
}

/** The documents that have been read, in the order of the list. */
export function readyIn(list: readonly ListedDocument[]): ReadyDocument[] {
  return list.flatMap(({ id, file, reading }) =>
    reading.kind === 'ready' ? [{ id, file, document: reading.document }] : [],
  );
}

/** Whether a document can be asked, now or after it has been read. */
export function canAsk(list: readonly ListedDocument[]): boolean {
  return list.some(({ reading }) => reading.kind !== 'unreadable');
}

/** Id of the element that shows a document. */
export const DOCUMENT_VIEW = 'document-view';

/** An answer to a question, with its position in the document; spans in UTF-16 units. */
export interface DocumentAnswer {
  readonly document: number;
  /** Probability that it is right, 0 … 1. */
  readonly score: number;
  readonly answer: Span;
  /** The sentence, or sentences, that contain the answer. */
  readonly sentence: Span;
  /** The part of the text that the model read at once. */
  readonly passage: Span;
}

/** Scores from which an answer is shown, and from which it is called likely. @source docs/benchmarks.md, questions about office texts */
const [PERHAPS, LIKELY] = [0.18, 0.74];

/** Whether an answer is shown. Passages with lower scores almost never contain one. */
export function isShown({ score }: Pick<DocumentAnswer, 'score'>): boolean {
  return score >= PERHAPS;
}

/** How certain an answer that is shown is. */
export function certaintyOf({ score }: Pick<DocumentAnswer, 'score'>): 'likely' | 'perhaps' {
  return score < LIKELY ? 'perhaps' : 'likely';
}

/** The last question with its answers. */
export interface QaSession {
  readonly question: string;
  /** Best first; includes those of removed documents, which can be restored. */
  readonly answers: readonly DocumentAnswer[];
  /** Passages that have been read; null while their number is unknown. */
  readonly read: { readonly done: number; readonly total: number } | null;
  readonly documents: ReadonlySet<number>;
}

interface AskedList {
  readonly asked: QaSession | null;
  readonly list: readonly ListedDocument[];
}

/** Answers of documents that are in the list. */
export function answersIn({ asked, list }: AskedList): readonly DocumentAnswer[] {
  const ids = new Set(list.map(({ id }) => id));
  return (asked?.answers ?? []).filter(({ document }) => ids.has(document));
}

/** Number of documents that were added after the question. */
export function unansweredIn({ asked, list }: AskedList): number {
  return asked ? readyIn(list).filter(({ id }) => !asked.documents.has(id)).length : 0;
}

/** The part of a text. */
export function sliceOf(text: string, { start, length }: Span): string {
  return text.slice(start, start + length);
}

/** A score with two digits; never 1, because no answer is certain. */
export function answerScoreText(score: number): string {
  return numberText(Math.min(score, 0.99), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

type Mark = 'sentence' | 'answer' | null;

/** A span split where the marks of an answer begin and end; a single segment without an answer. Empty segments are left out. */
export function segmentsOf(
  span: Span,
  marked: Pick<DocumentAnswer, 'answer' | 'sentence'> | null,
): (Span & { readonly kind: Mark })[] {
  if (!marked) return span.length > 0 ? [{ ...span, kind: null }] : [];
  const { answer, sentence } = marked;
  const cuts: readonly (readonly [to: number, kind: Mark])[] = [
    [sentence.start, null],
    [answer.start, 'sentence'],
    [answer.start + answer.length, 'answer'],
    [sentence.start + sentence.length, 'sentence'],
    [span.start + span.length, null],
  ];
  let start = span.start;
  return cuts.flatMap(([to, kind]) => {
    const end = Math.min(Math.max(to, start), span.start + span.length);
    const segment = { start, length: end - start, kind };
    start = end;
    return segment.length > 0 ? [segment] : [];
  });
}
