import type { PredictBody, PredictResponse, RatedToken } from '../contract/likelihood.ts';
import { isRecord } from '../contract/is-record.ts';
import type { Explanation, PartialExplanation, PartialItem } from '../contract/explain.ts';
import { type Influence, influenceOf } from './influence.ts';
import { explainRequestOf, type Question, readQuestion, withoutPicture, budgetOf } from './question.ts';
import { FRAGMENT, targetWords } from './segmentation.ts';
import type { Answer, CallOptions, Client } from '../client/client.ts';
import type { Progress } from '../contract/progress.ts';
import { createThrottle } from '../stores/buffered-storage.ts';

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
interface ModelAnswer {
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

/** Partial results are shown at most this often, so that drawing them never blocks the page. */
const PARTIAL_INTERVAL_MS = 150;

/**
 * The model's own answer, and the explanation. Progress is throttled, and includes the outcome so far.
 *
 * @throws if the connection is lost, and {DOMException} AbortError
 */
export async function requestExplanation(
  { client, model }: { readonly client: Pick<Client, 'explain' | 'predict'>; readonly model: string },
  question: Question,
  call: Pick<CallOptions, 'signal'> & {
    readonly onProgress?: (progress: Progress, partial: Outcome | null) => void;
  },
): Promise<Answer<Outcome>> {
  const { signal, onProgress } = call;
  let prediction: Prediction | null = null;
  const partials = createPartials();
  const throttle = createThrottle<Progress>((progress) => {
    const explanations = partials.all();
    onProgress?.(progress, explanations.length > 0 ? outcomeOf(question, explanations, null, prediction) : null);
  }, PARTIAL_INTERVAL_MS);
  const budget = budgetOf(question);
  const abort = { ...(signal && { signal }) };
  const predicting = client.predict(predictBodyOf(question, model), abort).then((answer) => {
    if (answer.ok) prediction = answer.value;
    return answer;
  });
  const explaining = client.explain(explainRequestOf(question, model), {
    ...abort,
    ...(budget && { budget }),
    onProgress(progress) {
      if (signal?.aborted) return;
      partials.add(progress.partial ?? []); // at once: the throttle drops progress
      throttle.push(progress);
    },
  });
  try {
    const [predicted, explained] = await Promise.all([predicting, explaining]);
    if (!explained.ok) return explained;
    if (!predicted.ok) return predicted;
    const { explanations, model_version: version } = explained.value;
    return { ok: true, value: outcomeOf(question, explanations, version, predicted.value) };
  } finally {
    throttle.cancel();
  }
}

/** Joins the partial explanations of one request. */
export function createPartials() {
  const explanations: PartialExplanation[] = [];
  return {
    add(partials: readonly PartialExplanation[]): void {
      for (const [column, { target, items }] of partials.entries()) {
        const known = (explanations[column] ??= { target, items: items.map(({ type }) => ({ type, scores: [] })) });
        for (const [index, item] of items.entries()) append(known.items[index], item);
      }
    },
    /** Everything so far; the lists keep growing. */
    all: (): readonly PartialExplanation[] => explanations,
  };
}

/** Items of one index have one type; an item of another type would be a defect of the service, and is left out. */
function append(known: PartialItem | undefined, { type, scores, margins = [] }: PartialItem): void {
  if (known?.type !== type) return;
  const list: unknown[] = known.scores;
  if (margins.some((margin) => margin !== null)) known.margins ??= list.map(() => null);
  // In a list that has estimates, an exact score replaces the estimate of its place.
  const places = known.margins && new Map(known.scores.map((before, at) => [placeOf(before), at]));
  for (const [at, score] of scores.entries()) {
    const before = places?.get(placeOf(score)) ?? list.length;
    list[before] = score;
    if (known.margins) known.margins[before] = margins[at] ?? null;
  }
}

function placeOf({ score: _, ...place }: PartialItem['scores'][number]): string {
  return JSON.stringify(place);
}
