import {
  isOwnChoice,
  type OwnAnswer,
  ownAnswerOf,
  type Prediction,
  targetProbability,
} from '../../../../state/explain/prediction.ts';
import { nameOf, percentText } from '../../texts.ts';

/** What the model itself says behind the prompt, and how likely it holds the target to be there, in words. */
export function ownAnswerText(prediction: Prediction): string {
  const own = ownAnswerOf(prediction);
  const words = saidWords(own);
  const said = words ? `The model itself says ${words}` : 'The model itself ends the text here';
  return `${said} (${percentText(own.probability)}). ${ratedText(prediction)}`;
}

/** The words of an answer in quotation marks; null where the model ends the text at once. */
export function saidWords({ text, isCut }: OwnAnswer): string | null {
  return text.trim() === '' ? null : `‘${nameOf(text, 60)}${isCut ? ' …' : ''}’`;
}

function ratedText(prediction: Prediction): string {
  const probability = targetProbability(prediction);
  if (probability === null) return '';
  return isOwnChoice(prediction)
    ? `The target is its own choice (${percentText(probability)}).`
    : `It gives the target a probability of ${percentText(probability)}.`;
}
