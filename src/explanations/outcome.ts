import type { PredictBody, PredictResponse, RatedToken } from '../contract/likelihood.ts';
import { isRecord } from '../contract/is-record.ts';
import type { Explanation, PartialExplanation } from '../contract/explain.ts';
import { type Influence, influenceOf } from './influence.ts';
import { explainRequestOf, type Question, readQuestion, withoutPicture } from './question.ts';
import { FRAGMENT, targetWords } from './segmentation.ts';

/** The answer to a question. */
export interface Outcome {
  readonly question: Question;
  /** Null until the service has finished. */
  readonly modelVersion: string | null;
  /** Incomplete after a cancel. */
  readonly explanations: readonly (Explanation | PartialExplanation)[];
  /** The model's own answer; null while unknown. */
  readonly prediction: Prediction | null;
  /** Derived from the explanations. */
  readonly influence: Influence;
}

/** An outcome, with the influence of its explanations. */
export function outcomeOf(
  question: Question,
  explanations: readonly (Explanation | PartialExplanation)[],
  modelVersion: string | null,
  prediction: Prediction | null,
): Outcome {
  const influence = influenceOf(explanations, { ...question, isStrengthened: question.settings.factor > 1 });
  return { question, modelVersion, explanations, prediction, influence };
}

/** The stored part of an outcome; the influence is computed from it, and the picture is stored separately. */
export function persistedOutcome({ question, modelVersion, explanations, prediction }: Outcome) {
  return { question: withoutPicture(question), modelVersion, explanations, prediction };
}

/**
 * The outcome in a stored value of unknown origin; null if it is not one. The contract's schemas would add a validator to
 * the page's first download, so the fields that the page reads are checked here.
 */
export function readOutcome(value: unknown, picture: unknown): Outcome | null {
  if (!isRecord(value) || !isExplanations(value['explanations']) || typeof value['modelVersion'] !== 'string')
    return null;
  const question = readQuestion(value['question'], picture);
  const prediction = readPrediction(value['prediction']);
  return question && prediction && outcomeOf(question, value['explanations'], value['modelVersion'], prediction);
}

type Fields = Readonly<Record<string, unknown>>;

function isExplanations(value: unknown): value is Explanation[] {
  return isListOf(value, (one) => typeof one['target'] === 'string' && isListOf(one['items'], isItem));
}

function isItem({ type, scores, margins }: Fields): boolean {
  const isMargin = (margin: unknown) => margin === null || Number.isFinite(margin);
  if (margins !== undefined && !(Array.isArray(margins) && margins.every(isMargin))) return false;
  return isListOf(scores, ({ rect, start, length, score }) => {
    if (type !== 'image') return areNumbers(start, length, score);
    return isRecord(rect) && areNumbers(rect['left'], rect['top'], rect['width'], rect['height'], score);
  });
}

function isListOf(value: unknown, accepts: (fields: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isRecord(one) && accepts(one));
}

function areNumbers(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isFinite(value));
}

/** Whether some scores are estimates. */
export function hasEstimates({ influence }: Pick<Outcome, 'influence'>): boolean {
  return influence.sections.some(({ margins }) => margins !== undefined);
}

/** The model's own continuation of the prompt, and the probabilities of the target there. */
export type Prediction = Pick<PredictResponse, 'continuation' | 'target'>;

/** Most tokens of the model's own answer. */
const MAX_TOKENS = 16;
/** Likeliest tokens listed at each target position. */
const ALTERNATIVES = 5;

/** The model does not expect a target word below this probability. */
const UNEXPECTED = Math.log(0.01);

/** The question for `POST /predict`: the same prompt, target and controls as in the explanation. */
export function predictBodyOf(question: Question, model: string): PredictBody {
  const { prompt, target, control_log_additive, contextual_control_threshold } = explainRequestOf(question, model);
  return {
    model,
    prompt,
    target,
    control_log_additive,
    ...(contextual_control_threshold !== undefined && { contextual_control_threshold }),
    alternatives: ALTERNATIVES,
    maximum_tokens: MAX_TOKENS,
  };
}

/** An answer, with the probability of exactly its words. */
export interface ModelAnswer {
  /** With its leading space, like a target; empty if the model ends the text at once. */
  readonly text: string;
  /** 0 … 1. */
  readonly probability: number;
  /** It continues after these words. */
  readonly isCut: boolean;
  /** Some of its bytes make up no character, so that it is not readable. */
  readonly isBroken: boolean;
}

/** The model's own answer: its likeliest tokens up to the end of the first line that has words. */
export function modelAnswerOf({ continuation: { text, tokens } }: Prediction): ModelAnswer {
  const end = tokens.findIndex(
    ({ token }, at) => token.includes('\n') && tokens.slice(0, at).some((one) => one.token.trim() !== ''),
  );
  const answer = end < 0 ? tokens : tokens.slice(0, end);
  const joined = answer.map(({ token }) => token).join('');
  const firstLine = /^\s*[^\n]*/.exec(text)?.[0] ?? text;
  const words = joined.includes(FRAGMENT) ? firstLine : joined; // parts of characters do not concatenate to characters
  return {
    text: words,
    isBroken: words.includes(FRAGMENT),
    probability: Math.exp(answer.reduce((sum, one) => sum + one.log_probability, 0)),
    isCut: answer.length === MAX_TOKENS,
  };
}

/** Probability of the whole target, 0 … 1; null without one. */
export function targetProbability({ target }: Prediction): number | null {
  return target && Math.exp(target.log_probability);
}

/**
 * The least probable word of the target, with its leading space, if the model does not expect it: below one in a hundred,
 * and not its own choice. Whole words, because the parts of an improbable word can each be probable after the others.
 *
 * @param text  the target, which shows what tokens make a word
 * @param only  index of a word, to ignore all others
 */
export function unexpectedWord(
  { target }: Prediction,
  text: string,
  only?: number,
): { readonly text: string; readonly probability: number } | null {
  const tokens = target?.tokens ?? [];
  const texts = tokens.map(({ token }) => token);
  const words = targetWords(texts, text);
  let least: { readonly text: string; readonly probability: number } | null = null;
  let lowest = UNEXPECTED;
  for (const [index, { text: name, first, count }] of words.entries()) {
    const parts = tokens.slice(first, first + count);
    const likelihood = parts.reduce((sum, one) => sum + one.log_probability, 0);
    if (likelihood >= lowest || parts.every(isFirstChoice) || (only !== undefined && only !== index)) continue;
    lowest = likelihood;
    least = { text: name, probability: Math.exp(likelihood) };
  }
  return least;
}

/** Whether the target is the model's own answer, token by token. */
export function isModelChoice({ target }: Prediction): boolean {
  return target !== null && target.tokens.every(isFirstChoice);
}

function isFirstChoice({ token, alternatives }: RatedToken): boolean {
  return alternatives[0]?.token === token;
}

/** The prediction in a parsed JSON value of unknown origin; null if it is not one. */
export function readPrediction(value: unknown): Prediction | null {
  if (!isRecord(value) || !isRecord(value['continuation'])) return null;
  const { continuation, target } = value;
  if (typeof continuation['text'] !== 'string' || !isTokens(continuation['tokens'])) return null;
  if (target !== null && !isTarget(target)) return null;
  return value as Prediction; // every field that the page reads was checked
}

function isTarget(value: unknown): boolean {
  if (!isRecord(value) || typeof value['log_probability'] !== 'number' || !isTokens(value['tokens'])) return false;
  return value['tokens'].every(({ alternatives }) => isTokens(alternatives));
}

function isTokens(value: unknown): value is Fields[] {
  return isListOf(value, (one) => typeof one['token'] === 'string' && typeof one['log_probability'] === 'number');
}
