import type { z } from 'zod';
import type { CompleteEvent, CompleteRequest, CompleteResponse, CompletionPart } from '../../contract/complete.ts';
import { OPERATION_DOCS, type OperationDoc } from '../../contract/description/operation-docs.ts';
import type { CompletedToken, CompleteJob, CompletePart } from '../../protocol/jobs.ts';
import { type Answered, operation } from '../operation.ts';
import { jobPrompt } from '../request/prompt.ts';
import { invalid, wellFormed } from '../request/text.ts';
import type { EventForm } from '../response/respond.ts';

/** @param type  of the completions, where the request has no `response_format` */
const complete = (doc: CompleteDoc, type: 'text' | 'json_object') =>
  operation({
    ...doc,
    kind: 'complete',
    use: 'complete',
    input: async (body, tools) => ({
      ...body,
      prompts: [await jobPrompt(body.prompt, 'prompt', { ...tools, mayBeEmpty: true })],
      promptAlternatives: null,
      ...writingOptions({ ...body, response_format: body.response_format ?? { type } }),
    }),
    output: ({ completions, promptTokens, generatedTokens }, { body, version }) => ({
      completions: completions.map((each, index) => ({
        ...completionPart({ index, ...each }, body),
        finish_reason: each.finish,
      })),
      model_version: version,
      num_tokens_prompt_total: promptTokens * candidatesOf(body),
      num_tokens_generated: generatedTokens,
    }),
    progress: ({ completed }, body) => completed && { written: completed.map((part) => completionPart(part, body)) },
    events: (body, answered) => (body.stream === true ? completionEvents(body, answered) : null),
  });

type CompleteDoc = OperationDoc & {
  readonly request: z.ZodType<CompleteRequest>;
  readonly response: z.ZodType<CompleteResponse, CompleteResponse>;
};

/** `POST /complete`, and `/complete/json`, which writes JSON. */
export const completeOperations = [
  complete(OPERATION_DOCS.complete, 'text'),
  complete(OPERATION_DOCS.completeJson, 'json_object'),
];

/** The options of a job that differ from the fields of its request. */
export function writingOptions(
  body: CompleteRequest,
): Pick<
  CompleteJob,
  'best_of' | 'sampling' | 'repetition' | 'logitBias' | 'inclusion' | 'exclusion' | 'stop_sequences' | 'json'
> {
  return {
    best_of: candidatesOf(body),
    sampling: {
      temperature: body.temperature,
      topK: body.top_k,
      topP: body.top_p,
      // Drawn here: a job that runs again on a new worker must write the same.
      seed: body.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
    },
    repetition: repetitionOf(body),
    logitBias: Object.entries(body.logit_bias ?? {}).map(([id, bias]) => [Number(id), bias] as const),
    inclusion: textBias(body, 'completion_bias_inclusion'),
    exclusion: textBias(body, 'completion_bias_exclusion'),
    stop_sequences: textsOf(body, 'stop_sequences'),
    json: jsonOf(body),
  };
}

/** Characters of a schema. */
const MAX_SCHEMA = 1_000_000;

/** Without a schema any object. The schema is sent as text, which a worker receives however deeply it is nested. */
function jsonOf({ response_format: format }: CompleteRequest): CompleteJob['json'] {
  if (!format || format.type === 'text') return null;
  const given = format.type === 'json_schema' ? format.json_schema.schema : null;
  if (!given) return { schema: '{"type":"object"}', path: 'response_format' };
  const path = 'response_format.json_schema.schema';
  const schema = jsonText(given);
  if (schema === null) throw invalid(path, 'a schema', 'one that is nested too deeply');
  if (schema.length > MAX_SCHEMA) throw invalid(path, `at most ${MAX_SCHEMA} characters`, `${schema.length}`);
  return { schema, path };
}

/** A value as JSON; null where it is nested too deeply for that. */
function jsonText(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** @source the service's public client: `best_of` is the number of candidates, and with it results cannot be streamed */
function candidatesOf({ n, best_of: bestOf, stream }: CompleteRequest): number {
  const candidates = bestOf ?? n;
  if (candidates < n) throw invalid('best_of', `at least n, which is ${n}`, `${candidates}`);
  if (candidates > n && stream === true) throw invalid('stream', 'false with best_of above n', 'true');
  return candidates;
}

function repetitionOf(body: CompleteRequest): CompleteJob['repetition'] {
  const exceptions = textsOf(body, 'penalty_exceptions');
  return {
    presence: { strength: body.presence_penalty, isMultiplicative: body.use_multiplicative_presence_penalty },
    frequency: { strength: body.frequency_penalty, isMultiplicative: body.use_multiplicative_frequency_penalty },
    sequence: { strength: body.sequence_penalty, isMultiplicative: body.use_multiplicative_sequence_penalty },
    sequenceLength: body.sequence_penalty_min_length,
    includesPrompt: body.repetition_penalties_include_prompt,
    includesCompletion: body.repetition_penalties_include_completion,
    bias: wellFormed(body.penalty_bias ?? '', 'penalty_bias'),
    exceptions: [
      ...exceptions,
      ...(body.penalty_exceptions_include_stop_sequences === false ? [] : textsOf(body, 'stop_sequences')),
    ],
  };
}

type BiasField = 'completion_bias_inclusion' | 'completion_bias_exclusion';

function textsOf(body: CompleteRequest, field: 'stop_sequences' | 'penalty_exceptions' | BiasField): readonly string[] {
  return (body[field] ?? []).map((text, index) => wellFormed(text, `${field}[${index}]`));
}

/** An empty list is none, as the client's default is. */
function textBias(body: CompleteRequest, field: BiasField): CompleteJob['inclusion'] {
  const texts = textsOf(body, field);
  return texts.length === 0 ? null : { texts, firstTokenOnly: body[`${field}_first_token_only`] };
}

/**
 * A completion, or a part of one, with the fields that the request wants. Only the whole has a raw text, with what a stop
 * sequence cut off.
 *
 * @source recorded replies of the service
 */
function completionPart(
  { index, text, rawText, tokens }: CompletePart & { readonly rawText?: string },
  wanted: CompleteRequest,
): CompletionPart {
  const isRated = typeof wanted.log_probs === 'number';
  const isRaw = wanted.raw_completion || wanted.tokens || isRated;
  return {
    index,
    ...(isRated && { log_probs: tokens.map(logProbabilitiesByText) }),
    completion: text,
    ...(isRaw && rawText !== undefined && { raw_completion: rawText }),
    ...(wanted.tokens && { completion_tokens: tokens.map(({ token }) => token) }),
  };
}

/** The events of an answer with `stream`. @source recorded replies of the service */
function completionEvents(body: CompleteRequest, { version, errorBody }: Answered): EventForm<CompleteResponse> {
  return {
    progress: ({ completed = [] }) =>
      completed.map((part): CompleteEvent => ({ type: 'stream_chunk', ...completionPart(part, body) })),
    last: ({ completions, num_tokens_prompt_total, num_tokens_generated }) => [
      ...completions.map(({ index, finish_reason }): CompleteEvent => ({
        type: 'stream_summary',
        index,
        model_version: version,
        finish_reason,
      })),
      { type: 'completion_summary', num_tokens_prompt_total, num_tokens_generated } satisfies CompleteEvent,
    ],
    failed: (failure) => [{ type: 'error', ...errorBody(failure) }],
  };
}

/** Tokens by their text. Alternatives come first, so that of two tokens with the same text the written one is kept. */
export function logProbabilitiesByText({ alternatives, ...written }: CompletedToken): Record<string, number> {
  const listed = Number.isNaN(written.log_probability) ? alternatives : [...alternatives, written];
  return Object.fromEntries(listed.map((each) => [each.token, each.log_probability]));
}
