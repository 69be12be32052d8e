import type { ExplainBody, ExplainResponse } from '../contract/explain.ts';
import type { PredictBody, PredictResponse } from '../contract/likelihood.ts';
import {
  addsByDefault,
  answerIn,
  type Computation,
  computationOf,
  defaultFactor,
  MAX_ANSWER_TOKENS,
  PICTURE_SIMILARITY,
} from './ask-defaults.ts';
import type { Answer, CallOptions, Client, Problem } from './client.ts';

/** What asking takes: the model's answer, the likelihood of a target, an explanation. */
export type AskClient = Pick<Client, 'complete' | 'explain' | 'predict'>;

/** A prompt, and how it is computed. */
type Computed = Pick<PredictBody, 'model' | 'prompt'> & Computation;

type Continuation = PredictResponse['continuation'];

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
 * the sections, and attention is scaled as `defaultFactor` and `addsByDefault` say; the calibration is that of the service.
 *
 * @throws if the connection is lost, and {DOMException} AbortError
 */
export async function ask(
  client: AskClient & Pick<Client, 'modelSettings'>,
  body: AskBody,
  options: AskOptions = {},
): Promise<Answer<AskResponse>> {
  const { target = '', ...fields } = body;
  const factor = body.control_factor ?? (await factorOf(client, body.model, options));
  const wanted = { ...defaultsOf(body, factor), ...fields };
  const { model, prompt } = body;
  const found = await findTarget(client, { ...computationOf(wanted), model, prompt, target }, options);
  if (!found.ok) return found;
  const request = { ...wanted, target: found.value.target };
  const { isExact: _, onWritten: __, ...call } = options;
  const answer = await client.explain(request, call);
  return answer.ok ? { ok: true, value: { ...answer.value, target: request.target } } : answer;
}

async function factorOf(
  client: Pick<Client, 'modelSettings'>,
  model: string,
  { signal }: CallOptions,
): Promise<number> {
  const listed = await client.modelSettings({ ...(signal && { signal }) });
  const factor = listed.ok ? listed.value.find(({ name }) => name === model)?.control_factor : null;
  return factor ?? defaultFactor(model, { calibrations: {} });
}

function defaultsOf({ prompt }: AskBody, factor: number) {
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
 * is likelier after the prompt, as far as the model tells.
 *
 * @returns a problem with the code `NO_ANSWER` where the model's own answer has no readable word
 */
export async function findTarget(
  client: Pick<Client, 'complete' | 'predict'>,
  { target, ...asked }: Computed & { readonly target: string },
  { isExact = false, onWritten, ...call }: AskOptions = {},
): Promise<Answer<FoundTarget>> {
  if (target === '') return ownAnswer(client, asked, call, onWritten);
  const other = isExact ? null : otherReading(target);
  if (other === null) return { ok: true, value: { target, continuation: null } };
  const rate = (text: string) => client.predict({ ...asked, target: text, alternatives: 1, maximum_tokens: 0 }, call);
  const [written, changed] = await Promise.all([rate(target), rate(other)]);
  if (!written.ok && written.problem.code === 'MISSING_CAPABILITY')
    return { ok: true, value: { target, continuation: null } }; // a model behind a server tells no likelihoods
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
  body: Computed,
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

/** Of a model that writes nothing that can be read. */
export const NO_ANSWER: Problem = {
  status: 0,
  code: 'NO_ANSWER',
  message: 'expected an answer of the model, got no readable word',
};
