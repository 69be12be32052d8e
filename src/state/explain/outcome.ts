import type { Explanation, PartialExplanation } from '../../contract/explain.ts';
import { type Influence, influenceOf } from './influence.ts';
import { type Prediction, readPrediction } from './prediction.ts';
import { isRecord, type Question, readQuestion, withoutPicture } from './question.ts';

/** The answer to a question, as the page shows it. */
export interface Outcome {
  readonly question: Question;
  /** Null until the service has finished. */
  readonly modelVersion: string | null;
  /** Incomplete after a cancel. */
  readonly explanations: readonly (Explanation | PartialExplanation)[];
  /** What the model itself says; null while that is not known yet. */
  readonly prediction: Prediction | null;
  /** Derived from the explanations. */
  readonly influence: Influence;
}

/** An outcome, with the influence that follows from it. */
export function outcomeOf(
  question: Question,
  explanations: readonly (Explanation | PartialExplanation)[],
  modelVersion: string | null,
  prediction: Prediction | null,
): Outcome {
  const { prompt, target, settings } = question;
  const influence = influenceOf(explanations, { prompt, target, isStrengthened: settings.factor > 1 });
  return { question, modelVersion, explanations, prediction, influence };
}

/** The stored part of an outcome; the influence is computed from it, and the picture is stored separately. */
export function keptOf({ question, modelVersion, explanations, prediction }: Outcome) {
  return { question: withoutPicture(question), modelVersion, explanations, prediction };
}

/**
 * The outcome in a kept value of unknown origin; null when it is none. The contract's schemas would bring a validator
 * into the page's first download, so what the page reads of the explanations is checked here.
 */
export function readOutcome(value: unknown, picture: unknown): Outcome | null {
  if (!isRecord(value) || !isExplanations(value['explanations']) || typeof value['modelVersion'] !== 'string')
    return null;
  const question = readQuestion(value['question'], picture);
  const prediction = readPrediction(value['prediction']);
  return question && prediction && outcomeOf(question, value['explanations'], value['modelVersion'], prediction);
}

function isExplanations(value: unknown): value is Explanation[] {
  return isListOf(value, (one) => typeof one['target'] === 'string' && isListOf(one['items'], isItem));
}

function isItem({ type, scores, margins }: Fields): boolean {
  if (margins !== undefined && !areMargins(margins)) return false;
  if (type === 'image')
    return isListOf(scores, ({ rect, score }) => isRecord(rect) && areNumbers(score, ...sidesOf(rect)));
  return isListOf(scores, ({ start, length, score }) => areNumbers(start, length, score));
}

function areMargins(value: unknown): boolean {
  return Array.isArray(value) && value.every((margin) => margin === null || areNumbers(margin));
}

type Fields = Record<string, unknown>;

function isListOf(value: unknown, accepts: (fields: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isRecord(one) && accepts(one));
}

function sidesOf({ left, top, width, height }: Fields): unknown[] {
  return [left, top, width, height];
}

function areNumbers(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isFinite(value));
}

/** Whether some scores are estimates. */
export function hasEstimates({ influence }: Pick<Outcome, 'influence'>): boolean {
  return influence.sections.some(({ margins }) => margins !== undefined);
}
