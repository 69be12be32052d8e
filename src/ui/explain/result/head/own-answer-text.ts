import {
  isOwnChoice,
  type OwnAnswer,
  ownAnswerOf,
  type Prediction,
  targetProbability,
} from '../../../../state/explain/prediction.ts';
import { FRAGMENT } from '../../../../state/explain/text/target-words.ts';
import { isolated } from '../../scripts.ts';
import { nameOf, percentText, visibleText } from '../../texts.ts';

/** What the model itself says behind the prompt, and how likely it holds the target to be there, in words. */
export function ownAnswerText(prediction: Prediction): string {
  const own = ownAnswerOf(prediction);
  return `${saidText(own)} (${percentText(own.probability)}). ${ratedText(prediction)}`;
}

function saidText(own: OwnAnswer): string {
  if (own.isBroken) return 'The model itself writes bytes that make up no readable text';
  const words = saidWords(own);
  return words ? `The model itself says ${words}` : 'The model itself ends the text here';
}

/** The words of an answer in quotation marks, or what stands for them; null where the model ends the text at once. */
export function saidWords({ text, isCut, isBroken }: OwnAnswer): string | null {
  if (text.trim() === '') return null;
  return isBroken ? 'bytes that make up no readable text' : `‘${nameOf(text, 60)}${isCut ? ' …' : ''}’`;
}

function ratedText(prediction: Prediction): string {
  const probability = targetProbability(prediction);
  if (probability === null) return '';
  return isOwnChoice(prediction)
    ? `The target is its own choice (${percentText(probability)}).`
    : `It gives the target a probability of ${percentText(probability)}.`;
}

/** A token as one can read it. @param whole what a part of a character is a part of, where that is known */
export function tokenText(token: string, whole?: string): string {
  if (!token.includes(FRAGMENT)) return isolated(visibleText(token));
  return whole === undefined ? '(part of a character)' : `part of ${isolated(visibleText(whole))}`;
}
