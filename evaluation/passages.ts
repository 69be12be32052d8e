import type { Span } from '../src/contract/code-points.ts';
import type { Tokenizer } from '../workers/engine/loading/tokenizer.ts';
import { shuffled } from './measures/sample.ts';
import type { SquadRow } from './squad.ts';

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
const MOST_TOKENS = 500;

/** The first questions, in an order that a seed decides, whose passage, question and answer are short enough. */
export function shortPassages(
  rows: readonly SquadRow[],
  { tokenize }: Pick<Tokenizer, 'tokenize'>,
  count: number,
): PassageItem[] {
  const items: PassageItem[] = [];
  for (const row of shuffled(rows)) {
    if (items.length === count) break;
    const item = itemOf(row);
    const texts = [item.passage, item.asked, item.target];
    if (texts.reduce((sum, text) => sum + tokenize(text).ids.length, 0) <= MOST_TOKENS) items.push(item);
  }
  return items;
}

function itemOf({ context, question, answers: [answer] }: SquadRow): PassageItem {
  if (!answer) throw new RangeError(`expected a gold answer to "${question}", got none`);
  return {
    passage: context,
    question,
    asked: `\nQuestion: ${question.trim()}\nAnswer:`,
    target: ` ${answer.text}`,
    answer: { start: answer.start, length: [...answer.text].length },
  };
}
