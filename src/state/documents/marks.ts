import type { Span } from '../../contract/code-points.ts';
import type { Answer } from './answers.ts';

/** How a stretch of a document is marked. */
export type MarkKind = 'sentence' | 'answer';

/** A stretch of a text, marked or not. */
export interface Segment extends Span {
  readonly kind: MarkKind | null;
}

/** A span cut where the marks of an answer begin and end; without an answer it is one segment. Empty segments are left out. */
export function segmentsOf(span: Span, marked: Pick<Answer, 'answer' | 'sentence'> | null): Segment[] {
  if (!marked) return span.length > 0 ? [{ ...span, kind: null }] : [];
  const { answer, sentence } = marked;
  const cuts: readonly (readonly [to: number, kind: MarkKind | null])[] = [
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

/** The marked segments of an answer. */
export function marksOf(answer: Pick<Answer, 'answer' | 'sentence'>): Segment[] {
  return segmentsOf(answer.sentence, answer);
}
