import { FRAGMENT } from '../contract/code-points.ts';
import type { ExplainBody } from '../contract/explain.ts';
import type { PredictResponse } from '../contract/likelihood.ts';

/** Most tokens of the model's own answer. */
export const MAX_ANSWER_TOKENS = 16;

/** Cosine from which tokens share the factor of a section in a prompt with a picture. @source contract facts §2.2 (κ = 0.7) */
export const PICTURE_SIMILARITY = 0.7;

/** Fields that decide where and how a prompt is computed; `/explain`, `/complete`, `/predict` and `/evaluate` have them. */
export type Computation = Pick<
  ExplainBody,
  'hosting' | 'steering_concepts' | 'control_log_additive' | 'contextual_control_threshold'
>;

/** These fields of a body, without those that it lacks. */
export function computationOf(body: Computation): Computation {
  const { hosting, steering_concepts, control_log_additive, contextual_control_threshold } = body;
  return {
    ...(hosting !== undefined && { hosting }),
    ...(steering_concepts !== undefined && { steering_concepts }),
    ...(control_log_additive !== undefined && { control_log_additive }),
    ...(contextual_control_threshold !== undefined && { contextual_control_threshold }),
  };
}

/** The part of a continuation that is the answer. */
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
export function answerIn({ text, tokens }: PredictResponse['continuation']): ModelAnswer {
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
    isCut: answer.length === MAX_ANSWER_TOKENS,
  };
}

/**
 * Factor on the attention to a section where a request does not say, by model: that of its calibration. Before that sections are
 * hidden, which agrees best with deletion on every model that was measured (`npm run evaluate -- pages sinks`). On lightwell-base
 * 0.1 finds the word that deletion ranks first as often, and names no first word wrongly.
 */
export function defaultFactor(
  model: string,
  { calibrations }: { readonly calibrations: Readonly<Record<string, { readonly factor: number }>> },
): number {
  return calibrations[model]?.factor ?? (canCalibrate(model) ? 0 : 0.1);
}

/** Whether a model is calibrated on the page; the one that is not comes with its factor. */
export function canCalibrate(model: string): boolean {
  return model !== 'lightwell-base';
}

/**
 * Whether ln(factor) is added to attention scores where a request does not say. Measured against deletion
 * (`npm run evaluate -- --only deletion`), multiplying agrees better below 1, hides nothing at 0, and above 1 reverses every other
 * sign.
 */
export function addsByDefault(factor: number): boolean {
  return factor === 0 || factor > 1;
}
