import type { Client } from '../../client/client.ts';
import type { Postprocessing, TargetGranularity } from '../../contract/explain.ts';
import type { PromptItem } from '../../contract/prompt.ts';

/** Files that the contract takes as pictures. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Ways to cut the prompt into sections; `auto` leaves the choice to the service. */
export const GRANULARITIES = ['auto', 'token', 'word', 'sentence', 'paragraph', 'custom'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** What tables can do to scores. */
export const POSTPROCESSING = ['none', 'absolute', 'square'] as const satisfies readonly Postprocessing[];

/** How exact scores are. */
export const ACCURACIES = ['exact', 'quick'] as const;
export type Accuracy = (typeof ACCURACIES)[number];

/** What is asked of the prompt, how its sections are suppressed, and how tables list the scores. */
export interface Settings {
  readonly granularity: Granularity;
  /** Where a custom granularity splits; kept while another one is chosen. */
  readonly delimiter: string;
  /** Factor on the attention paid to a section: 0 removes it, 1 changes nothing. */
  readonly factor: number;
  /** Adds ln(factor) to the attention scores; otherwise multiplies them. null: as `addsLogarithm` says. */
  readonly logAdditive: boolean | null;
  readonly overlap: 'partial' | 'complete';
  /** Cosine similarity from which other tokens share the factor; null for none. */
  readonly similarity: number | null;
  /** One explanation for the whole target, or one for each of its tokens. */
  readonly targetGranularity: TargetGranularity;
  /** What tables do to each score; colours and words keep its sign. */
  readonly postprocessing: Postprocessing;
  /** Whether tables scale their scores to 0 … 1. */
  readonly normalize: boolean;
  /** `quick` computes the largest scores exactly and estimates the others. */
  readonly accuracy: Accuracy;
}

/** A picture in front of the prompt's text: a PNG, JPEG or WebP file. */
export interface Picture {
  readonly name: string;
  /** Media type of the file. */
  readonly type: string;
  /** Its bytes in base64. */
  readonly data: string;
}

/** The question: which part of `prompt` pushes the model towards `target`? */
export interface Question {
  readonly picture: Picture | null;
  readonly prompt: string;
  readonly target: string;
  readonly settings: Settings;
}

/**
 * The page's own defaults; the contract chooses the granularity by the number of sections, and always adds ln(factor). The
 * target is explained token by token, which answers every view.
 */
export const DEFAULT_SETTINGS: Settings = {
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

/**
/**
 * Whether ln(factor) is added to attention scores. Where that is left open, scores are multiplied below 1 and ln(factor)
 * is added above: measured against deletion (`npm run evaluate -- --only deletion`), multiplying agrees better below 1,
 * and above it turns every other sign.
 */
export function addsLogarithm({ logAdditive, factor }: Pick<Settings, 'logAdditive' | 'factor'>): boolean {
  return logAdditive ?? factor > 1;
}

/** What the request may spend; undefined: every score is exact. */
export function budgetOf({ settings }: Pick<Question, 'settings'>): 'auto' | undefined {
  return settings.accuracy === 'quick' ? 'auto' : undefined;
}

/**
 * The question as a request. Scores are never postprocessed or normalised: the whole target is the sum of its tokens, and
 * a sign says what supports, so one request answers every view.
 */
export function requestOf(
  { picture, prompt, target, settings }: Question,
  model: string,
): Parameters<Client['explain']>[0] {
  const { granularity: type, delimiter } = settings;
  return {
    model,
    prompt: promptOf({ picture, prompt }),
    target,
    target_granularity: settings.targetGranularity,
    control_factor: settings.factor,
    control_log_additive: addsLogarithm(settings),
    control_token_overlap: settings.overlap,
    ...(type !== 'auto' && { prompt_granularity: type === 'custom' ? { type, delimiter } : { type } }),
    ...(settings.similarity !== null && { contextual_control_threshold: settings.similarity }),
  };
}

/** The prompt as the contract takes it. */
export function promptOf({ picture, prompt }: Pick<Question, 'picture' | 'prompt'>): string | PromptItem[] {
  return picture ? itemsOf(picture, prompt) : prompt;
}

/** The picture comes first, because the training put text about a picture after it. */
function itemsOf({ data }: Picture, text: string): PromptItem[] {
  const image = { type: 'image' as const, data };
  return text === '' ? [image] : [image, { type: 'text', data: text }];
}

/** The first thing that keeps a question from being asked. */
export function missingIn({ picture, prompt, target, settings }: Question): 'prompt' | 'target' | 'delimiter' | null {
  if (prompt === '' && !picture) return 'prompt';
  if (target === '') return 'target';
  return settings.granularity === 'custom' && settings.delimiter === '' ? 'delimiter' : null;
}

/** What has changed since a question was asked. */
export type Change = 'prompt' | 'target' | 'settings';

/** What must be asked again: the parts in which two questions differ, as far as that changes the answer. */
export function changesBetween(a: Question, b: Question): Change[] {
  const isSamePrompt = a.prompt === b.prompt && a.picture?.data === b.picture?.data;
  return [
    ...(isSamePrompt ? [] : (['prompt'] as const)),
    ...(a.target === b.target ? [] : (['target'] as const)),
    ...(isSameQuestion({ ...a, settings: b.settings }, a) ? [] : (['settings'] as const)),
  ];
}

/** Whether two questions have the same answer. */
export function isSameQuestion(a: Question, b: Question): boolean {
  const asked = (question: Question) => JSON.stringify([requestOf(question, ''), budgetOf(question)]);
  return asked(a) === asked(b);
}

/** Whether two questions are about the same picture and texts, however sections are cut and suppressed. */
export function isSameText(a: Question, b: Question): boolean {
  return a.prompt === b.prompt && a.target === b.target && a.picture?.data === b.picture?.data;
}

/** The question but for its picture, which is kept and read apart. */
export function withoutPicture({ prompt, target, settings }: Question): Omit<Question, 'picture'> {
  return { prompt, target, settings };
}

/**
 * The question in a parsed JSON value of unknown origin; null when it is none. Unknown settings become the defaults, an
 * unknown picture none.
 *
 * @param picture  where it was kept apart from the question
 */
export function readQuestion(value: unknown, picture?: unknown): Question | null {
  if (!isRecord(value)) return null;
  const { prompt, target, settings } = value;
  if (typeof prompt !== 'string' || typeof target !== 'string') return null;
  return {
    picture: readPicture(picture ?? value['picture']),
    prompt,
    target,
    settings: readSettings(isRecord(settings) ? settings : {}),
  };
}

function readPicture(value: unknown): Picture | null {
  if (!isRecord(value)) return null;
  const { name, type, data } = value;
  if (typeof name !== 'string' || typeof type !== 'string' || typeof data !== 'string') return null;
  return PICTURE_TYPES.some((one) => one === type) ? { name, type, data } : null;
}

/** The settings in an object of unknown origin; what is unknown becomes the default. */
export function readSettings(value: Record<string, unknown>): Settings {
  const { granularity, delimiter, factor, logAdditive, overlap, similarity } = value;
  const { targetGranularity, postprocessing, normalize, accuracy } = value;
  const base = DEFAULT_SETTINGS;
  return {
    granularity: GRANULARITIES.find((one) => one === granularity) ?? base.granularity,
    delimiter: typeof delimiter === 'string' ? delimiter : base.delimiter,
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

/** Whether a parsed JSON value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
