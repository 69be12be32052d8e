import { ownAnswerOf, type Prediction, targetProbability } from '../../../../state/explain/prediction.ts';
import { saidWords } from '../../result/head/own-answer-text.ts';
import { FACTORS, factorText, nameOf, natsText, percentText, timesText } from '../../texts.ts';

/** Stops of the attention to a part of the prompt, 0 to 4. */
export const ATTENTION_STOPS: readonly number[] = [...FACTORS, 2.5, 3, 3.5, 4];

/** A factor in numbers and words, such as `× 0.5: dimmed`. */
export function attentionText(factor: number): string {
  return `× ${factor}: ${factorText(factor)}`;
}

/** What the changes do, in two sentences: to the target's probability, and to what the model says itself. */
export function changeText(before: Prediction, after: Prediction, target: string): string {
  return [targetChange(before, after, target), answerChange(before, after)].filter((text) => text !== '').join(' ');
}

function targetChange(before: Prediction, after: Prediction, target: string): string {
  if (!before.target || !after.target) return '';
  const nats = after.target.log_probability - before.target.log_probability;
  const times = timesText(nats);
  const name = nameOf(target) === '' ? 'the target' : `‘${nameOf(target)}’`;
  const effect = times
    ? `make ${name} ${times} ${nats < 0 ? 'less' : 'more'} likely`
    : `hardly change how likely ${name} is`;
  const [from, to] = [before, after].map((one) => percentText(targetProbability(one) ?? 0));
  const probability = from === to ? `still ${to}` : `${to} instead of ${from}`;
  return `Your changes ${effect}: ${probability} (${natsText(nats)} nats).`;
}

function answerChange(before: Prediction, after: Prediction): string {
  const [said, says] = [before, after].map((one) => saidWords(ownAnswerOf(one)));
  if (said === says) return says ? `The model still says ${says}.` : 'The model still ends the text.';
  if (!says) return `The model now ends the text instead of saying ${said}.`;
  return `The model now says ${says} instead of ${said ?? 'ending the text'}.`;
}
