import { answerF1 } from './answers.ts';

/** A text and where it starts, in code points. */
interface PlacedText {
  readonly text: string;
  readonly start: number;
}

/** From this agreement of its words on, an answer at the right place counts as right. */
const RIGHT = 0.5;

/** Whether an answer overlaps a gold answer and agrees with it: the same words elsewhere in a text answer another question. */
export function isRight(found: PlacedText, answers: readonly PlacedText[]): boolean {
  return answers.some(
    (answer) =>
      found.start < endOf(answer) && answer.start < endOf(found) && answerF1(found.text, answer.text) >= RIGHT,
  );
}

function endOf({ text, start }: PlacedText): number {
  return start + [...text].length;
}

/** The best answer to a question. */
export interface JudgedAnswer {
  readonly isAnswerable: boolean;
  /** False for every question without an answer. */
  readonly isRight: boolean;
  readonly score: number;
}

/** Scores from which a page shows an answer, and from which it calls it likely. */
export interface Thresholds {
  readonly perhaps: number;
  readonly likely: number;
}

/**
 * The highest score to show an answer from, and the lowest to call it likely from, that keep two shares of these answers.
 *
 * @param hidden   largest share of the right answers that are not shown, 0 to 1
 * @param wrong    largest share of all questions whose answer is wrong and called likely, 0 to 1
 * @throws {RangeError} without a right answer
 */
export function thresholdsFor(
  answers: readonly JudgedAnswer[],
  { hidden, wrong }: { readonly hidden: number; readonly wrong: number },
): Thresholds {
  const right = scoresOf(answers.filter((answer) => answer.isRight)).toReversed();
  const perhaps = right[Math.floor(hidden * right.length)];
  if (perhaps === undefined) throw new RangeError('expected at least one right answer, got none');
  const highestWrong = scoresOf(answers.filter((answer) => !answer.isRight))[Math.floor(wrong * answers.length)] ?? 0;
  const likely = scoresOf(answers).findLast((score) => score > highestWrong) ?? 1;
  return { perhaps, likely: Math.max(perhaps, likely) };
}

/** The greatest first. */
function scoresOf(answers: readonly JudgedAnswer[]): number[] {
  return answers.map(({ score }) => score).toSorted((a, b) => b - a);
}
