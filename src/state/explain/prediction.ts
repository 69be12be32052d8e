import type { PredictBody, PredictedToken, PredictResponse, RatedToken } from '../../contract/likelihood/predict.ts';
import { isRecord, type Question, requestOf } from './question.ts';

/** What the model itself says behind the prompt, and how it rates the target there. */
export type Prediction = Pick<PredictResponse, 'continuation' | 'target'>;

/** Tokens of the model's own answer at most. */
const MOST_TOKENS = 16;
/** Likeliest tokens listed at each target position. */
const ALTERNATIVES = 5;

/** A target token below this probability is one that the model does not expect. */
const UNEXPECTED = Math.log(0.01);

/** The question for `POST /predict`: the same prompt, target and controls as in the explanation. */
export function predictBodyOf(question: Question, model: string): PredictBody {
  const { prompt, target, control_log_additive, contextual_control_threshold } = requestOf(question, model);
  return {
    ...{ model, prompt, target, control_log_additive },
    ...(contextual_control_threshold !== undefined && { contextual_control_threshold }),
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
}

/** What the model itself says: its likeliest tokens up to the end of the first line that has words. */
export function ownAnswerOf({ continuation: { tokens } }: Prediction): OwnAnswer {
  const said: PredictedToken[] = [];
  for (const token of tokens) {
    if (token.token.includes('\n') && said.some((one) => one.token.trim() !== '')) return answerOf(said, false);
    said.push(token);
  }
  return answerOf(said, said.length === MOST_TOKENS);
}

function answerOf(tokens: readonly PredictedToken[], isCut: boolean): OwnAnswer {
  const text = tokens.map(({ token }) => token).join('');
  return { text, probability: Math.exp(tokens.reduce((sum, one) => sum + one.log_probability, 0)), isCut };
}

/** Probability of the whole target, 0 … 1; null without one. */
export function targetProbability({ target }: Prediction): number | null {
  return target && Math.exp(target.log_probability);
}

/** The target token that the model expects least, if it does not expect it: below one in a hundred, and not its own choice. */
export function unexpectedToken({ target }: Prediction): RatedToken | null {
  const tokens = target?.tokens ?? [];
  const doubtful = tokens.filter((token) => token.log_probability < UNEXPECTED && !isFirstChoice(token));
  return doubtful.reduce<RatedToken | null>(
    (least, token) => (least && least.log_probability <= token.log_probability ? least : token),
    null,
  );
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
