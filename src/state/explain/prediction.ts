import type { PredictBody, PredictResponse, RatedToken } from '../../contract/likelihood/predict.ts';
import { isRecord, type Question, requestOf } from './question.ts';
import { FRAGMENT, targetWords } from './text/target-words.ts';

/** What the model itself says behind the prompt, and how it rates the target there. */
export type Prediction = Pick<PredictResponse, 'continuation' | 'target'>;

/** Tokens of the model's own answer at most. */
const MOST_TOKENS = 16;
/** Likeliest tokens listed at each target position. */
const ALTERNATIVES = 5;

/** A target word below this probability is one that the model does not expect. */
const UNEXPECTED = Math.log(0.01);

/** The question for `POST /predict`: the same prompt, target and controls as in the explanation. */
export function predictBodyOf(question: Question, model: string): PredictBody {
  const { prompt, target, control_log_additive } = requestOf(question, model);
  return {
    ...{ model, prompt, target, control_log_additive },
    alternatives: ALTERNATIVES,
    maximum_tokens: MOST_TOKENS,
  };
}

/** An answer in words, with the probability of exactly these words. */
export interface OwnAnswer {
  /** With its leading space, such as a target has; empty where the model ends the text at once. */
  readonly text: string;
  /** 0 … 1. */
  readonly probability: number;
  /** It goes on behind these words. */
  readonly isCut: boolean;
  /** Some of its bytes make up no character: there is nothing to read, nor to ask for. */
  readonly isBroken: boolean;
}

/** What the model itself says: its likeliest tokens up to the end of the first line that has words. */
export function ownAnswerOf({ continuation: { text, tokens } }: Prediction): OwnAnswer {
  const end = tokens.findIndex(
    ({ token }, at) => token.includes('\n') && tokens.slice(0, at).some((one) => one.token.trim() !== ''),
  );
  const said = end < 0 ? tokens : tokens.slice(0, end);
  const joined = said.map(({ token }) => token).join('');
  const words = joined.includes(FRAGMENT) ? firstLine(text) : joined; // parts of characters do not join to them
  return {
    text: words,
    isBroken: words.includes(FRAGMENT),
    probability: Math.exp(said.reduce((sum, one) => sum + one.log_probability, 0)),
    isCut: said.length === MOST_TOKENS,
  };
}

function firstLine(text: string): string {
  return /^\s*[^\n]*/.exec(text)?.[0] ?? text;
}

/** Probability of the whole target, 0 … 1; null without one. */
export function targetProbability({ target }: Prediction): number | null {
  return target && Math.exp(target.log_probability);
}

/** A word of the target with its probability. */
export interface RatedWord {
  /** With its leading space. */
  readonly text: string;
  /** 0 … 1. */
  readonly probability: number;
}

/**
 * The target word that the model expects least, if it does not expect it: below one in a hundred, and not its own choice.
 * Whole words are judged, because the parts of an improbable word can each be probable behind the others.
 *
 * @param text  the target, which tells what tokens make a word
 * @param only  index of the one word that is asked about; left out: all of them
 */
export function unexpectedWord({ target }: Prediction, text: string, only?: number): RatedWord | null {
  const tokens = target?.tokens ?? [];
  const words = targetWords(
    tokens.map(({ token }) => token),
    text,
  );
  let least: RatedWord | null = null;
  let lowest = UNEXPECTED;
  for (const [index, { text: name, first, count }] of words.entries()) {
    const own = tokens.slice(first, first + count);
    const likelihood = own.reduce((sum, one) => sum + one.log_probability, 0);
    if (likelihood >= lowest || own.every(isFirstChoice) || (only !== undefined && only !== index)) continue;
    lowest = likelihood;
    least = { text: name, probability: Math.exp(likelihood) };
  }
  return least;
}

/** Whether the target is what the model itself says, token by token. */
export function isOwnChoice({ target }: Prediction): boolean {
  return target !== null && target.tokens.every(isFirstChoice);
}

function isFirstChoice({ token, alternatives }: RatedToken): boolean {
  return alternatives[0]?.token === token;
}

/** The prediction in a parsed JSON value of unknown origin; null when it is none. */
export function readPrediction(value: unknown): Prediction | null {
  if (!isRecord(value) || !isRecord(value['continuation'])) return null;
  const { continuation, target } = value;
  if (typeof continuation['text'] !== 'string' || !isTokens(continuation['tokens'])) return null;
  if (target !== null && !isTarget(target)) return null;
  return value as Prediction; // each field that the page reads was looked at
}

function isTarget(value: unknown): boolean {
  if (!isRecord(value) || typeof value['log_probability'] !== 'number' || !isTokens(value['tokens'])) return false;
  return value['tokens'].every(({ alternatives }) => isTokens(alternatives));
}

function isTokens(value: unknown): value is Record<string, unknown>[] {
  const isToken = (one: unknown) =>
    isRecord(one) && typeof one['token'] === 'string' && typeof one['log_probability'] === 'number';
  return Array.isArray(value) && value.every(isToken);
}
