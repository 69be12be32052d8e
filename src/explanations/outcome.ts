import type { PredictBody, PredictResponse, RatedToken } from '../contract/likelihood.ts';
import { isRecord } from '../contract/is-record.ts';
import type { Explanation, PartialExplanation, PartialItem } from '../contract/explain.ts';
import { type Influence, influenceOf, namesWord, type ScoreView } from './influence.ts';
import { budgetOf, explainRequestOf, promptOf, type Question, readQuestion, withoutPicture } from './question.ts';
import { targetWords } from './segmentation.ts';
import {
  answerIn,
  type AskClient,
  findTarget,
  type FoundTarget,
  MAX_ANSWER_TOKENS,
  type ModelAnswer,
} from '../client/ask.ts';
import type { AttentionSink } from './sinks.ts';
import type { Answer, CallOptions, Client } from '../client/client.ts';
import type { Progress } from '../contract/progress.ts';
import { createThrottle } from '../stores/buffered-storage.ts';

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
  /** The first section, where its score misleads; the headline does not name it. */
  readonly sink: AttentionSink | null;
  /** Derived from the explanations. */
  readonly influence: Influence;
}

/** An outcome, with the influence of its explanations. */
export function outcomeOf(
  question: Question,
  explanations: readonly (Explanation | PartialExplanation)[],
  modelVersion: string | null,
  prediction: Prediction | null,
  asked = question.target,
  sink: AttentionSink | null = null,
): Outcome {
  const influence = influenceOf(explanations, { ...question, isStrengthened: question.settings.factor > 1 });
  return { question, asked, modelVersion, explanations, prediction, sink, influence };
}

/** The question that an outcome answers, as it was asked. */
export function originalQuestion({ question, asked }: Outcome): Question {
  return { ...question, target: asked };
}

/** The stored part of an outcome; the influence is computed from it, and the picture is stored separately. */
export function persistedOutcome({ question, asked, modelVersion, explanations, prediction, sink }: Outcome) {
  return { question: withoutPicture(question), asked, modelVersion, explanations, prediction, sink };
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
  const asked = typeof value['asked'] === 'string' ? value['asked'] : undefined; // older ones have none
  const rest = [value['explanations'], value['modelVersion'], prediction, asked, readSink(value['sink'])] as const;
  return question && prediction && outcomeOf(question, ...rest);
}

function readSink(value: unknown): AttentionSink | null {
  if (!isRecord(value)) return null;
  const { id, loss, lossAfter } = value;
  if (typeof id !== 'string' || typeof loss !== 'number') return null;
  return { id, loss, lossAfter: typeof lossAfter === 'number' ? lossAfter : null };
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
    maximum_tokens: MAX_ANSWER_TOKENS,
  };
}

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

/** Partial results are shown at most this often, so that drawing them never blocks the page. */
const PARTIAL_INTERVAL_MS = 150;

/** Where an explanation comes from. */
interface ExplanationSource {
  readonly client: AskClient & Pick<Client, 'evaluate'>;
  readonly model: string;
}

/** How an explanation is requested, and what is told of it meanwhile. */
interface ExplanationCall extends Pick<CallOptions, 'signal'> {
  readonly onProgress?: (progress: Progress, partial: Outcome | null) => void;
  /** Called with the model's own answer as far as it is written. */
  readonly onWritten?: (text: string) => void;
}

/**
 * The target, which may be the model's own answer, its probability, and the explanation. Progress is throttled, and includes
 * the outcome so far.
 *
 * @throws if the connection is lost, and {DOMException} AbortError
 */
export async function requestExplanation(
  source: ExplanationSource,
  asked: Question,
  call: ExplanationCall,
): Promise<Answer<Outcome>> {
  const { prompt, target, settings } = { ...asked, prompt: promptOf(asked) };
  if (target !== '' && settings.isTargetExact)
    return explainTarget(source, asked, { target, continuation: null }, call);
  const { signal, onProgress, onWritten } = call;
  const found = await findTarget(
    source.client,
    { model: source.model, prompt, target },
    {
      ...(signal && { signal }),
      ...(onWritten && { onWritten }),
      onProgress: (progress) => onProgress?.(progress, null),
    },
  );
  return found.ok ? explainTarget(source, asked, found.value, call) : found;
}

async function explainTarget(
  { client, model }: ExplanationSource,
  asked: Question,
  { target, continuation }: FoundTarget,
  { signal, onProgress }: ExplanationCall,
): Promise<Answer<Outcome>> {
  const question = { ...asked, target };
  const outcome = (...parts: [Outcome['explanations'], string | null, Prediction | null]) =>
    outcomeOf(question, ...parts, asked.target);
  let prediction: Prediction | null = null;
  const partials = createPartials();
  const throttle = createThrottle<Progress>((progress) => {
    const explanations = partials.all();
    onProgress?.(progress, explanations.length > 0 ? outcome(explanations, null, prediction) : null);
  }, PARTIAL_INTERVAL_MS);
  const budget = budgetOf(question);
  const abort = { ...(signal && { signal }) };
  const predicting = predictTarget(client, predictBodyOf(question, model), continuation, abort).then((answer) => {
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
    const found = outcome(explanations, version, predicted.value);
    // Its first section holds reasons; deletion would often name the question instead.
    if (model === 'lightwell-base') return { ok: true, value: found };
    const { sinkIn } = await import('./sinks.ts'); // not in the page's first script
    return { ok: true, value: { ...found, sink: await sinkIn(found, { client, model }, signal) } };
  } finally {
    throttle.cancel();
  }
}

/** How likely the target is, beside what the model writes. @param known  what it writes, where it has written already */
async function predictTarget(
  client: AskClient,
  body: PredictBody,
  known: Prediction['continuation'] | null,
  call: CallOptions,
): Promise<Answer<Prediction>> {
  const answer = await client.predict(known ? { ...body, maximum_tokens: 0 } : body, call);
  return answer.ok && known ? { ok: true, value: { ...answer.value, continuation: known } } : answer;
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
