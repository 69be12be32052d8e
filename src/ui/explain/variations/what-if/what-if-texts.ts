import { whatIfWords } from '../../../../words/en/explain/what-if.ts';
import { ownAnswerOf, type Prediction, targetProbability } from '../../../../state/explain/prediction.ts';
import { saidWords } from '../../result/head/own-answer-text.ts';
import { FACTORS, natsText, percentText, quotedTarget, timesText } from '../../texts.ts';

/** Stops of the attention to a part of the prompt, 0 to 4. */
export const ATTENTION_STOPS: readonly number[] = [...FACTORS, 2.5, 3, 3.5, 4];

/** What the changes do, in two sentences: to the target's probability, and to what the model says itself. */
export function changeText(before: Prediction, after: Prediction, target: string): string {
  return [targetChange(before, after, target), answerChange(before, after)].filter((text) => text !== '').join(' ');
}

function targetChange(before: Prediction, after: Prediction, target: string): string {
  if (!before.target || !after.target) return '';
  const nats = after.target.log_probability - before.target.log_probability;
  const from = percentText(targetProbability(before) ?? 0);
  const to = percentText(targetProbability(after) ?? 0);
  const change = { name: quotedTarget(target), times: timesText(nats), isLess: nats < 0, nats: natsText(nats) };
  return whatIfWords().target({ ...change, from: from === to ? null : from, to });
}

function answerChange(before: Prediction, after: Prediction): string {
  const words = whatIfWords();
  const [said, says] = [before, after].map((one) => saidWords(ownAnswerOf(one)));
  if (said === says) return says ? words.stillSays(says) : words.stillEnds;
  if (!says) return words.nowEnds(said ?? '');
  return said ? words.nowSays(says, said) : words.saysNow(says);
}
