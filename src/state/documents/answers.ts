import { type CodePointMap, codePointMap, type Span } from '../../contract/code-points.ts';
import type { QaFound } from '../../contract/qa.ts';
import type { ReadyDocument } from './listed.ts';

/** An answer to a question, and where it stands in its document; spans in UTF-16 units. */
export interface Answer {
  /** Of its document in the list. */
  readonly document: number;
  /** How likely it is right, 0 … 1. */
  readonly score: number;
  readonly answer: Span;
  /** The sentence, or sentences, that the answer stands in. */
  readonly sentence: Span;
  /** What the reader read at once. */
  readonly passage: Span;
}

/** How sure a reader is, in steps that have words. */
export type Certainty = 'likely' | 'possible' | 'doubtful';

/** From here on an answer is likely right: about nine of ten are, where that was measured. */
export const LIKELY = 0.8;

/**
 * Below this score a passage more likely holds no answer than the one that was found: scores are calibrated probabilities.
 *
 * @source docs/models.md; the card of lightwell-reader, "held out"
 */
export const NO_ANSWER = 0.5;

/** The step of a score. */
export function certaintyOf({ score }: Pick<Answer, 'score'>): Certainty {
  if (score < NO_ANSWER) return 'doubtful';
  return score < LIKELY ? 'possible' : 'likely';
}

/** Collects answers as they are told, best first; of equal ones the earlier in the documents. */
export interface Collection {
  add(found: readonly QaFound[]): void;
  ranked(): Answer[];
}

/** @param asked  the documents of the request, in its order */
export function createCollection(asked: readonly ReadyDocument[]): Collection {
  const answers: Answer[] = [];
  const maps = new Map<number, CodePointMap>();
  const mapOf = (index: number, { document }: ReadyDocument) => {
    const map = maps.get(index) ?? codePointMap(document.text);
    maps.set(index, map);
    return map;
  };
  const orderOf = new Map(asked.map(({ id }, index) => [id, index]));
  return {
    add(found) {
      for (const { document: index, score, answer, sentence, evidence } of found) {
        const ready = asked[index];
        if (!ready) continue;
        const { toUtf16 } = mapOf(index, ready);
        const passage = toUtf16(evidence);
        // What a model writes stands nowhere: its passage is all there is to show.
        const place = { answer: answer ? toUtf16(answer) : passage, sentence: sentence ? toUtf16(sentence) : passage };
        answers.push({ document: ready.id, score, ...place, passage });
      }
    },
    ranked: () =>
      answers.toSorted(
        (a, b) =>
          b.score - a.score ||
          (orderOf.get(a.document) ?? 0) - (orderOf.get(b.document) ?? 0) ||
          a.passage.start - b.passage.start,
      ),
  };
}

/** The part of a text. */
export function sliceOf(text: string, { start, length }: Span): string {
  return text.slice(start, start + length);
}
