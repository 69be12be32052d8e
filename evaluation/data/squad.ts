import { questionPrompt } from '../../src/explanations/citations.ts';
import type { DataFile } from '../evaluation.ts';
import type { Span } from '../../src/contract/code-points.ts';
import { shuffled } from '../../workers/kernels/seeded-random.ts';

/** A question about a paragraph of Wikipedia. @source Rajpurkar et al. 2016, 2018; the data folder's README */
export interface SquadRow {
  readonly id: string;
  readonly title: string;
  readonly context: string;
  readonly question: string;
  /** Every annotator's answer; none where the paragraph does not answer the question (version 2.0 only). */
  readonly answers: readonly { readonly text: string; readonly start: number }[];
}

/** Part a of the development set: every question has an answer. */
export const SQUAD_1: DataFile = { from: 'data', path: 'eval/squad-v1.1-dev-a.jsonl.xz' };

/** Part a of the development set of version 2.0: half of the questions have no answer. */
export const SQUAD_2: DataFile = { from: 'data', path: 'eval/squad-v2.0-dev-a.jsonl.xz' };

/** A passage, a question on it, and where its first gold answer stands. */
export interface PassageItem {
  readonly passage: string;
  readonly question: string;
  /** The question as it stands in the prompt. */
  readonly asked: string;
  /** The answer as it stands behind the prompt. */
  readonly target: string;
  /** In code points of the passage. */
  readonly answer: Span;
}

/** Tokens of passage, question and answer at most: what is longer costs more than it tells. */
const MAX_TOKENS = 500;

/** The first questions, in an order that a seed decides, whose passage, question and answer are short enough. */
export function shortPassages(
  rows: readonly SquadRow[],
  { tokenize }: { tokenize(text: string): { readonly ids: ArrayLike<unknown> } },
  count: number,
  most = MAX_TOKENS,
): PassageItem[] {
  const items: PassageItem[] = [];
  for (const row of shuffled(rows)) {
    if (items.length === count) break;
    const item = itemOf(row);
    const texts = [item.passage, item.asked, item.target];
    if (texts.reduce((sum, text) => sum + tokenize(text).ids.length, 0) <= most) items.push(item);
  }
  return items;
}

/** Those that are measured for the model card. */
const ON_THE_CARD = 300;

/** As `shortPassages`, after those that are measured for the model card. */
export function furtherPassages(
  rows: readonly SquadRow[],
  tokenizer: Parameters<typeof shortPassages>[1],
  count: number,
  most?: number,
): PassageItem[] {
  return shortPassages(rows, tokenizer, ON_THE_CARD + count, most).slice(ON_THE_CARD);
}

function itemOf({ context, question, answers: [answer] }: SquadRow): PassageItem {
  if (!answer) throw new RangeError(`expected a gold answer to "${question}", got none`);
  return {
    passage: context,
    question,
    asked: questionPrompt(question),
    target: ` ${answer.text}`,
    answer: { start: answer.start, length: [...answer.text].length },
  };
}
