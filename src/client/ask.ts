import { FRAGMENT } from '../contract/code-points.ts';
import type { ExplainBody, ExplainResponse } from '../contract/explain.ts';
import type { PredictBody, PredictResponse } from '../contract/likelihood.ts';
import type { Answer, CallOptions, Client, Problem } from './client.ts';

/** What asking takes: the model's answer, the likelihood of a target, an explanation. */
export type AskClient = Pick<Client, 'complete' | 'explain' | 'predict'>;

/** What a model writes after a prompt. */
type Continuation = PredictResponse['continuation'];

/** Most tokens of the model's own answer. */
export const MAX_ANSWER_TOKENS = 16;

/** Cosine from which tokens share the factor of a section in a prompt with a picture. @source contract facts §2.2 (κ = 0.7) */
export const PICTURE_SIMILARITY = 0.7;

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
export function answerIn({ text, tokens }: Continuation): ModelAnswer {
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
 * Factor on the attention to a section where a request does not say, by model. Hiding sections agrees best with deletion on every
 * model that was measured (`npm run evaluate -- pages sinks`); on lightwell-base 0.1 agrees as well, and its pictures and budgets
 * were measured with it.
 */
export function defaultFactor(model: string): number {
  return model === 'lightwell-base' ? 0.1 : 0;
}

/**
 * Whether ln(factor) is added to attention scores where a request does not say. Measured against deletion
 * (`npm run evaluate -- --only deletion`), multiplying agrees better below 1, hides nothing at 0, and above 1 reverses every other
 * sign.
 */
export function addsByDefault(factor: number): boolean {
  return factor === 0 || factor > 1;
}

/** How a question is asked. */
interface AskOptions extends CallOptions {
  /** Takes the target exactly as it is written. */
  readonly isExact?: boolean;
  /** Called with the model's own answer as far as it is written. */
  readonly onWritten?: (text: string) => void;
}

/** The body of `explain`. Without a target, or with an empty one, the model's own answer is explained. */
type AskBody = Omit<ExplainBody, 'target'> & { readonly target?: string };

/** An explanation and the target that it is of. */
export type AskResponse = ExplainResponse & { readonly target: string };

/**
 * Asks as the Explain page does: explains the model's own answer, or a target, with or without a space before it as the model
 * expects. Fields that are left out have the page's defaults, which agree better with deletion than those of the API: words are
 * the sections, and attention is scaled as `defaultFactor` and `addsByDefault` say.
 *
 * @throws if the connection is lost, and {DOMException} AbortError
 */
export async function ask(client: AskClient, body: AskBody, options: AskOptions = {}): Promise<Answer<AskResponse>> {
  const { target = '', ...fields } = body;
  const found = await findTarget(client, { ...body, target }, options);
  if (!found.ok) return found;
  const request = { ...defaultsOf(body), ...fields, target: found.value.target };
  const { isExact: _, onWritten: __, ...call } = options;
  const answer = await client.explain(request, call);
  return answer.ok ? { ok: true, value: { ...answer.value, target: request.target } } : answer;
}

function defaultsOf({ model, prompt, control_factor: factor = defaultFactor(model) }: AskBody) {
  const hasPicture = typeof prompt !== 'string' && prompt.some(({ type }) => type === 'image');
  return {
    prompt_granularity: { type: hasPicture ? 'token' : 'word' },
    control_factor: factor,
    control_log_additive: addsByDefault(factor),
    ...(hasPicture && { contextual_control_threshold: PICTURE_SIMILARITY }),
  } as const;
}

/** A target to explain, and what the model itself writes, where that was asked. */
export interface FoundTarget {
  readonly target: string;
  readonly continuation: Continuation | null;
}

/**
 * The target of a question: the model's own answer for an empty one; else the text, with or without a space before it, whichever
 * is likelier after the prompt.
 *
 * @returns a problem with the code `NO_ANSWER` where the model's own answer has no readable word
 */
export async function findTarget(
  client: Pick<Client, 'complete' | 'predict'>,
  body: Pick<PredictBody, 'model' | 'prompt'> & { readonly target: string },
  { isExact = false, onWritten, ...call }: AskOptions = {},
): Promise<Answer<FoundTarget>> {
  const { model, prompt, target } = body;
  if (target === '') return ownAnswer(client, { model, prompt }, call, onWritten);
  const other = isExact ? null : otherReading(target);
  if (other === null) return { ok: true, value: { target, continuation: null } };
  const rate = (text: string) =>
    client.predict({ model, prompt, target: text, alternatives: 1, maximum_tokens: 0 }, call);
  const [written, changed] = await Promise.all([rate(target), rate(other)]);
  if (!written.ok) return written;
  // A reading with one token more may not fit the model.
  const isLikelier = changed.ok && likelihoodIn(changed.value) > likelihoodIn(written.value);
  return { ok: true, value: { target: isLikelier ? other : target, continuation: null } };
}

function likelihoodIn({ target }: PredictResponse): number {
  return target?.log_probability ?? -Infinity;
}

/** The target with a space before it where it has none, and without its one space; null where it begins otherwise. */
export function otherReading(target: string): string | null {
  if (/^\S/.test(target)) return ` ${target}`;
  return /^ \S/.test(target) ? target.slice(1) : null;
}

async function ownAnswer(
  client: Pick<Client, 'complete'>,
  body: Pick<PredictBody, 'model' | 'prompt'>,
  { onProgress, ...call }: CallOptions,
  onWritten?: (text: string) => void,
): Promise<Answer<FoundTarget>> {
  let text = '';
  const answer = await client.complete(
    { ...body, maximum_tokens: MAX_ANSWER_TOKENS, tokens: true, log_probs: 0 },
    {
      ...call,
      onProgress(progress) {
        text += (progress.written ?? []).map(({ completion }) => completion).join('');
        if (text !== '') onWritten?.(/^\s*[^\n]*/.exec(text)?.[0] ?? text);
        if (progress.phase !== 'run') onProgress?.(progress);
      },
    },
  );
  if (!answer.ok) return answer;
  const [first] = answer.value.completions;
  const continuation = {
    text: first?.completion ?? '',
    tokens: (first?.log_probs ?? []).flatMap((each) =>
      Object.entries(each).map(([token, log_probability]) => ({ token, log_probability })),
    ),
  };
  const { text: target, isBroken } = answerIn(continuation);
  return target.trim() === '' || isBroken
    ? { ok: false, problem: NO_ANSWER }
    : { ok: true, value: { target, continuation } };
}

const NO_ANSWER: Problem = {
  status: 0,
  code: 'NO_ANSWER',
  message: 'expected an answer of the model, got no readable word',
};
