import { resultWords } from '../../../../words/en/explain/result.ts';
import { sectionsWords } from '../../../../words/en/explain/sections.ts';
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
  const target = targetProbability(prediction);
  const surprise = target !== null && target > own.probability && !isOwnChoice(prediction);
  return [saidText(own), ratedText(prediction), surprise && resultWords().own.stepByStep].filter(Boolean).join(' ');
}

function saidText(own: OwnAnswer): string {
  const words = resultWords().own;
  const share = percentText(own.probability);
  if (own.isBroken) return words.writesBytes(share);
  const said = saidWords(own);
  return said ? words.says(said, share) : words.ends(share);
}

/** The words of an answer in quotation marks, or what stands for them; null where the model ends the text at once. */
export function saidWords({ text, isCut, isBroken }: OwnAnswer): string | null {
  if (text.trim() === '') return null;
  if (isBroken) return resultWords().own.bytes;
  return sectionsWords().phrase.text(`${nameOf(text, 60)}${isCut ? ' …' : ''}`);
}

function ratedText(prediction: Prediction): string {
  const words = resultWords().own;
  const probability = targetProbability(prediction);
  if (probability === null) return '';
  return (isOwnChoice(prediction) ? words.isTarget : words.ratesTarget)(percentText(probability));
}

/** A token as one can read it. @param whole what a part of a character is a part of, where that is known */
export function tokenText(token: string, whole?: string): string {
  const words = resultWords().own;
  if (!token.includes(FRAGMENT)) return isolated(visibleText(token));
  return whole === undefined ? words.part : words.partOf(isolated(visibleText(whole)));
}
