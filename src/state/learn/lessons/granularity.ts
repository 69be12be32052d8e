import type { Answer, CallOptions } from '../../../client/client.ts';
import { NEUTRAL_NATS, type Stretch } from '../../explain/influence.ts';
import type { Outcome } from '../../explain/outcome.ts';
import { type Deleted, deletions, explained, type LearnSource, questionOf, type Texts } from './asked.ts';

/** The same question by word and by sentence, and what deleting each sentence does. */
export interface GranularityFound {
  readonly words: Outcome;
  readonly sentences: Outcome;
  readonly deleted: readonly Deleted[];
}

/** Sentences that are deleted at most. */
const MOST_DELETED = 8;

/** Explains the texts by word and by sentence, then deletes the sentences one at a time. */
export async function askGranularity(
  source: LearnSource,
  texts: Texts,
  call: CallOptions,
): Promise<Answer<GranularityFound>> {
  const words = await explained(source, questionOf(texts), call);
  if (!words.ok) return words;
  const sentences = await explained(source, questionOf(texts, { granularity: 'sentence' }), call);
  if (!sentences.ok) return sentences;
  const parts = sentences.value.influence.prompt.slice(0, MOST_DELETED);
  const deleted = await deletions(source, sentences.value, parts, call);
  return { ok: true, value: { words: words.value, sentences: sentences.value, deleted } };
}

/** A sentence by three measures, nats; positive supports the target. */
export interface SentenceRow {
  readonly section: Stretch;
  /** Dimmed as a whole. */
  readonly whole: number;
  /** Sum over its words, each dimmed alone. */
  readonly words: number;
  /** Deleted from the prompt; null where that was not computed. */
  readonly deleted: number | null;
}

/** A row for each sentence, in the order of the prompt. A word belongs to the sentence in which it begins. */
export function sentenceRows({ words, sentences, deleted }: GranularityFound): SentenceRow[] {
  return sentences.influence.prompt.map((section) => {
    const own = words.influence.prompt.filter(
      ({ start }) => start >= section.start && start < section.start + section.length,
    );
    return {
      section,
      whole: section.total,
      words: own.reduce((sum, { total }) => sum + total, 0),
      deleted: deleted.find((one) => one.section.id === section.id)?.loss ?? null,
    };
  });
}

/** A change by less is no evidence, nats. */
const CLEAR_NATS = 0.5;

/**
 * The sentence whose sign is the least to be trusted: dimmed as a whole it says the opposite of its deletion, or of the sum of
 * its words. Of several it is the one with the largest score; null where there is none.
 */
export function inverted(
  rows: readonly SentenceRow[],
): { readonly row: SentenceRow; readonly by: 'deleted' | 'words' } | null {
  const isTurned = (row: SentenceRow, other: number | null) =>
    other !== null &&
    Math.abs(row.whole) >= NEUTRAL_NATS &&
    Math.abs(other) >= CLEAR_NATS &&
    row.whole > 0 !== other > 0;
  const turned = (['deleted', 'words'] as const).flatMap((by) =>
    rows.filter((row) => isTurned(row, row[by])).map((row) => ({ row, by })),
  );
  return turned.toSorted((a, b) => Math.abs(b.row.whole) - Math.abs(a.row.whole))[0] ?? null;
}
