import { answerIn, type ModelAnswer } from '../client/ask-defaults.ts';
import type { Explanation, PartialExplanation } from '../contract/explain.ts';
import { areNumbers, hasPlacedScores, isListOf, isRecord } from '../contract/records.ts';
import type { PredictResponse, RatedToken } from '../contract/likelihood.ts';
import { type Influence, influenceOf, namesWord, type ScoreView } from './influence.ts';
import { type Question, readQuestion, withoutPicture } from './question.ts';
import { targetWords } from './segmentation.ts';
import type { AttentionSink } from './sinks.ts';

/** The answer to a question. */
export interface Outcome {
  /** With the target that was explained. */
  readonly question: Question;
  /** The target as it was asked for; empty for the model's own answer. */
  readonly asked: string;
  /** Null until the service has finished. */
  readonly modelVersion: string | null;
  /** Incomplete after a cancel. */
  readonly explanations: readonly (Explanation | PartialExplanation)[];
  /** The model's own answer; null while unknown. */
  readonly prediction: Prediction | null;
  /** Sections whose scores mislead; the headline does not name them. */
  readonly sinks: readonly AttentionSink[];
  /** Address of the server that has the model; null: it was loaded into the page. */
  readonly upstream: string | null;
  readonly influence: Influence;
}

type Extras = Partial<Pick<Outcome, 'asked' | 'sinks' | 'upstream'>>;

/** An outcome, with the influence of its explanations. */
export function outcomeOf(
  question: Question,
  explanations: readonly (Explanation | PartialExplanation)[],
  modelVersion: string | null,
  prediction: Prediction | null,
  { asked = question.target, sinks = [], upstream = null }: Extras = {},
): Outcome {
  const isStrengthened = (factorOf({ question, upstream }) ?? 0) > 1;
  const influence = influenceOf(explanations, { ...question, isStrengthened, sinks: sinks.map(({ id }) => id) });
  return { question, asked, modelVersion, explanations, prediction, sinks, upstream, influence };
}

/** The factor on the attention to the sections of an outcome; null: they were deleted. */
export function factorOf({ question, upstream }: Pick<Outcome, 'question' | 'upstream'>): number | null {
  return upstream === null ? question.settings.factor : null;
}

/** The question that an outcome answers, as it was asked. */
export function originalQuestion({ question, asked }: Outcome): Question {
  return { ...question, target: asked };
}

/** The stored part of an outcome; the influence is computed from it, and the picture is stored separately. */
export function persistedOutcome({ question, influence: _, ...others }: Outcome) {
  return { ...others, question: withoutPicture(question) };
}

/** The outcome in a stored value; null if it is not one. The contract's schemas are too large for the page's start. */
export function readOutcome(value: unknown, picture: unknown): Outcome | null {
  if (!isRecord(value) || !isExplanations(value['explanations']) || typeof value['modelVersion'] !== 'string')
    return null;
  const question = readQuestion(value['question'], picture);
  const prediction = readPrediction(value['prediction']);
  const { asked, upstream: place } = value;
  const upstream = typeof place === 'string' && URL.canParse(place) ? place : null;
  if (!question || (!prediction && upstream === null)) return null;
  return outcomeOf(question, value['explanations'], value['modelVersion'], prediction, {
    ...(typeof asked === 'string' && { asked }), // older ones have none
    sinks: isSinks(value['sinks']) ? value['sinks'] : [],
    upstream,
  });
}

function isSinks(value: unknown): value is AttentionSink[] {
  return isListOf(value, ({ id, loss, lossAfter }) => typeof id === 'string' && areNumbers(loss, lossAfter ?? 0));
}

type Fields = Readonly<Record<string, unknown>>;

function isExplanations(value: unknown): value is Explanation[] {
  return isListOf(value, (one) => typeof one['target'] === 'string' && isListOf(one['items'], isItem));
}

function isItem(item: Fields): boolean {
  const { margins } = item;
  const isMargin = (margin: unknown) => margin === null || Number.isFinite(margin);
  if (margins !== undefined && !(Array.isArray(margins) && margins.every(isMargin))) return false;
  return hasPlacedScores(item);
}

/** Whether some scores are estimates. */
export function hasEstimates({ influence }: Pick<Outcome, 'influence'>): boolean {
  return influence.sections.some(({ margins }) => margins !== undefined);
}

/** The model's own continuation of the prompt, and the probabilities of the target there. */
export type Prediction = Pick<PredictResponse, 'continuation' | 'target'>;

/** The model does not expect a target word below this probability. */
const UNEXPECTED = Math.log(0.01);

/** The model's own answer, with the probability of exactly its words. */
export function modelAnswerOf({ continuation }: Prediction): ModelAnswer {
  return answerIn(continuation);
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
 * @param view  the words to look at
 */
export function unexpectedWord(
  { target }: Prediction,
  text: string,
  view: ScoreView = 'whole',
): { readonly text: string; readonly probability: number } | null {
  const tokens = target?.tokens ?? [];
  const texts = tokens.map(({ token }) => token);
  const words = targetWords(texts, text);
  let least: { readonly text: string; readonly probability: number } | null = null;
  let lowest = UNEXPECTED;
  for (const [index, { text: name, first, count }] of words.entries()) {
    const parts = tokens.slice(first, first + count);
    const likelihood = parts.reduce((sum, one) => sum + one.log_probability, 0);
    if (likelihood >= lowest || parts.every(isFirstChoice) || !(view === 'whole' || namesWord(view, index))) continue;
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
