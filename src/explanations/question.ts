import { isRecord } from '../contract/records.ts';
import { addsByDefault, defaultFactor } from '../client/ask-defaults.ts';
import type { Client } from '../client/client.ts';
import type { ExplainRequest, Postprocessing } from '../contract/explain.ts';
import type { PromptItem } from '../contract/prompt.ts';

/** Media types that the contract accepts as pictures. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Ways to split the prompt into sections; `auto` leaves the choice to the service. */
export const GRANULARITIES = ['auto', 'token', 'word', 'sentence', 'paragraph', 'custom'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Processing of scores in tables. */
export const POSTPROCESSING = ['none', 'absolute', 'square'] as const satisfies readonly Postprocessing[];

/** Accuracy of scores: `quick` computes the largest ones exactly and estimates the others. */
export const ACCURACIES = ['exact', 'quick'] as const;

/** How the prompt is explained: how its sections are suppressed, and how tables list the scores. */
export interface Settings {
  /** Takes the target as it is written; else a space before it is added or removed as the model expects. */
  readonly isTargetExact: boolean;
  readonly granularity: Granularity;
  /** Where a custom granularity splits; stays while another one is selected. */
  readonly delimiter: string;
  /** Factor on the attention to a section: 0 removes it, 1 changes nothing. */
  readonly factor: number;
  /** Adds ln(factor) to the attention scores instead of multiplying them. null: see `addsLogarithm`. */
  readonly logAdditive: boolean | null;
  readonly overlap: 'partial' | 'complete';
  /** Cosine similarity from which other tokens share the factor; null for none. */
  readonly similarity: number | null;
  /** One explanation for the whole target, or one for each of its tokens. */
  readonly targetGranularity: ExplainRequest['target_granularity'];
  /** Processing of each score in tables; colours and words have its sign. */
  readonly postprocessing: Postprocessing;
  /** Whether tables scale their scores to 0 … 1. */
  readonly normalize: boolean;
  readonly accuracy: (typeof ACCURACIES)[number];
}

/** A picture in front of the prompt's text: a PNG, JPEG or WebP file. */
export interface Picture {
  readonly name: string;
  readonly type: string;
  /** Its bytes in base64. */
  readonly data: string;
}

/** The question: which part of `prompt` pushes the model towards `target`, or towards its own answer where that is empty? */
export interface Question {
  readonly picture: Picture | null;
  readonly prompt: string;
  readonly target: string;
  readonly settings: Settings;
}

/** The page's own defaults; the contract selects the granularity. Targets are explained by token, for every view. */
export const DEFAULT_QUESTION_SETTINGS: Settings = {
  isTargetExact: false,
  granularity: 'word',
  delimiter: '\n',
  factor: 0.1,
  logAdditive: null,
  overlap: 'partial',
  similarity: null,
  targetGranularity: 'token',
  postprocessing: 'none',
  normalize: false,
  accuracy: 'exact',
};

/** Whether ln(factor) is added to attention scores. */
export function addsLogarithm({ logAdditive, factor }: Pick<Settings, 'logAdditive' | 'factor'>): boolean {
  return logAdditive ?? addsByDefault(factor);
}

type Explainer = { readonly model: string } & Parameters<typeof defaultFactor>[1];

/** The factor of a question after its model or a calibration has changed: the new default where it was the one before. */
export function factorAfter({ factor }: Pick<Settings, 'factor'>, before: Explainer, now: Explainer): number {
  return factor === defaultFactor(before.model, before) ? defaultFactor(now.model, now) : factor;
}

/** Budget of the request; undefined: every score is exact, as those of a server are. */
export function budgetOf({ settings }: Pick<Question, 'settings'>, upstream: string | null = null): 'auto' | undefined {
  return upstream === null && settings.accuracy === 'quick' ? 'auto' : undefined;
}

/** How the prompt is split: `auto` for a server in place of tokens, which it does not tell. */
export function granularityOf({ granularity }: Pick<Settings, 'granularity'>, upstream: string | null): Granularity {
  return upstream !== null && granularity === 'token' ? 'auto' : granularity;
}

/**
 * The question as a request. Scores are never postprocessed or normalised: the whole target is the sum of its tokens, and
 * signs show support, so that one request has the scores of every view.
 *
 * @param upstream  address of the server that has the model, where sections are deleted; null: it is loaded into the page
 */
export function explainRequestOf(
  { picture, prompt, target, settings }: Question,
  model: string,
  upstream: string | null = null,
): Parameters<Client['explain']>[0] {
  const { delimiter, similarity } = settings;
  const type = granularityOf(settings, upstream);
  return {
    model,
    prompt: promptOf({ picture, prompt }),
    target,
    target_granularity: settings.targetGranularity,
    ...(upstream === null ? controlsOf(settings) : { method: 'deletion' }),
    ...(type !== 'auto' && { prompt_granularity: type === 'custom' ? { type, delimiter } : { type } }),
    ...(upstream === null && similarity !== null && { contextual_control_threshold: similarity }),
  };
}

function controlsOf(settings: Settings) {
  return {
    control_factor: settings.factor,
    control_log_additive: addsLogarithm(settings),
    control_token_overlap: settings.overlap,
  };
}

/** The prompt of the contract. The picture is first, because in training the text about a picture follows it. */
export function promptOf({ picture, prompt }: Pick<Question, 'picture' | 'prompt'>): string | PromptItem[] {
  if (!picture) return prompt;
  const image = { type: 'image' as const, data: picture.data };
  return prompt === '' ? [image] : [image, { type: 'text', data: prompt }];
}

/** UTF-16 units of a text that is read from storage or a file: with a prompt of 750,000 the page did not answer for 22 s. */
export const MAX_STORED = 100_000;

/** The first field that a question lacks. */
export function missingIn({ picture, prompt, settings }: Question): 'prompt' | 'delimiter' | null {
  if (prompt === '' && !picture) return 'prompt';
  return settings.granularity === 'custom' && settings.delimiter === '' ? 'delimiter' : null;
}

type Change = 'prompt' | 'target' | 'settings';

/** The parts in which two questions differ, as far as that changes the answer. */
export function changesBetween(a: Question, b: Question): readonly Change[] {
  const isSame: Readonly<Record<Change, boolean>> = {
    prompt: a.prompt === b.prompt && a.picture?.data === b.picture?.data,
    target: a.target === b.target,
    settings: isSameQuestion({ ...a, settings: b.settings }, a),
  };
  return (['prompt', 'target', 'settings'] as const).filter((part) => !isSame[part]);
}

/** Whether two questions have the same answer. */
export function isSameQuestion(a: Question, b: Question): boolean {
  const requestText = (question: Question) =>
    JSON.stringify([explainRequestOf(question, ''), budgetOf(question), question.settings.isTargetExact]);
  return requestText(a) === requestText(b);
}

/** Whether two questions have the same picture and texts. */
export function isSameText(a: Question, b: Question): boolean {
  return a.prompt === b.prompt && a.target === b.target && a.picture?.data === b.picture?.data;
}

/** The question without its picture, which is stored separately. */
export function withoutPicture({ prompt, target, settings }: Question): Omit<Question, 'picture'> {
  return { prompt, target, settings };
}

/**
 * The question in a parsed JSON value of unknown origin; null if it is not one, or has a text longer than `MAX_STORED`. Unknown
 * settings become the defaults, an unknown picture none.
 *
 * @param picture  if it was stored separately
 */
export function readQuestion(value: unknown, picture?: unknown): Question | null {
  if (!isRecord(value)) return null;
  const { prompt, target, settings } = value;
  if (!isShortText(prompt) || !isShortText(target)) return null;
  return {
    picture: readPicture(picture ?? value['picture']),
    prompt,
    target,
    settings: readSettings(isRecord(settings) ? settings : {}),
  };
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_STORED;
}

function readPicture(value: unknown): Picture | null {
  if (!isRecord(value)) return null;
  const { name, type, data } = value;
  if (typeof name !== 'string' || typeof type !== 'string' || typeof data !== 'string') return null;
  return PICTURE_TYPES.some((one) => one === type) ? { name, type, data } : null;
}

/** The settings in an object of unknown origin; unknown values become the defaults. */
export function readSettings(value: Record<string, unknown>): Settings {
  const { isTargetExact, granularity, delimiter, factor, logAdditive, overlap, similarity } = value;
  const { targetGranularity, postprocessing, normalize, accuracy } = value;
  const base = DEFAULT_QUESTION_SETTINGS;
  return {
    isTargetExact: isTargetExact === true,
    granularity: GRANULARITIES.find((one) => one === granularity) ?? base.granularity,
    delimiter: isShortText(delimiter) ? delimiter : base.delimiter,
    factor: typeof factor === 'number' && factor >= 0 ? factor : base.factor,
    logAdditive: typeof logAdditive === 'boolean' ? logAdditive : base.logAdditive,
    overlap: overlap === 'complete' ? 'complete' : base.overlap,
    similarity: typeof similarity === 'number' ? similarity : base.similarity,
    targetGranularity: targetGranularity === 'complete' ? 'complete' : base.targetGranularity,
    postprocessing: POSTPROCESSING.find((one) => one === postprocessing) ?? base.postprocessing,
    normalize: normalize === true,
    accuracy: accuracy === 'quick' ? 'quick' : base.accuracy,
  };
}

/** A picture as the source of an image element. */
export function dataUrl({ type, data }: Picture): string {
  return `data:${type};base64,${data}`;
}
