/** ASCII punctuation, as Python's `string.punctuation`. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Lower case, no punctuation, no articles, single spaces. @source Rajpurkar et al. 2016, the official evaluation script */
export function normalizedAnswer(text: string): string {
  const bare = text.toLowerCase().replaceAll(PUNCTUATION, '');
  return wordsOf(bare.replaceAll(/(?<![\p{L}\p{N}_])(a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ');
}

/** F1 of the words that both have, 0 to 1; two answers without words agree. @source as above */
export function answerF1(predicted: string, answer: string): number {
  const [given, wanted] = [wordsOf(normalizedAnswer(predicted)), wordsOf(normalizedAnswer(answer))];
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0;
  return (2 * sharedCount(given, wanted)) / (given.length + wanted.length);
}

/** 1 where both are the same but for what normalising takes away, else 0. @source as above */
export function exactMatch(predicted: string, answer: string): number {
  return normalizedAnswer(predicted) === normalizedAnswer(answer) ? 1 : 0;
}

/** The best agreement with any of the answers that people gave. @throws {RangeError} when there are none */
export function bestOver(
  agreement: (predicted: string, answer: string) => number,
  predicted: string,
  answers: readonly string[],
): number {
  if (answers.length === 0) throw new RangeError('expected at least one answer, got none');
  return Math.max(...answers.map((answer) => agreement(predicted, answer)));
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** How many words both have, each as often as the one that has it less. */
function sharedCount(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  return one.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
}
