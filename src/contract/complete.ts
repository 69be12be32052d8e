import { namedObject, z } from './wire/zod.ts';
import { promptFields } from './prompt.ts';
import { MAX_ALTERNATIVES } from './likelihood.ts';
import { notServedByComplete } from './not-served.ts';
import { steeringFields } from './steering.ts';

/** Most completions that are written for a prompt. */
export const MAX_COMPLETIONS = 100;
/** Most texts in each of its lists. */
const MAX_TEXTS = 100;

const text = z.string().min(1);
const texts = z.array(text).max(MAX_TEXTS).nullish();
const penalty = z.number().min(-100).max(100).default(0);
const logitBias = z.record(z.string().regex(/^\d+$/), z.number()).nullish();
const flag = z.boolean().default(false);

const jsonOfSchema = z.object({
  type: z.literal('json_schema'),
  json_schema: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

/** Text, a JSON object, or JSON of a schema, `strict` or not. @source OpenAI API reference, "response_format" */
export const ResponseFormat = z
  .discriminatedUnion('type', [z.object({ type: z.enum(['text', 'json_object']) }), jsonOfSchema])
  .nullish();

/**
 * Body of `POST /complete`. The interface does not describe this operation of the hosted service; names, defaults and meanings
 * are those of its public client, `CompletionRequest`. `seed` and `response_format` are Lightwell's own.
 *
 * @source the hosted service's public Python client, completion.py; contract facts §1.1, §1.2
 */
export const CompleteRequest = namedObject('CompleteRequest', {
  ...notServedByComplete,
  ...promptFields,
  ...steeringFields,
  /** Of each completion at most; null or left out: up to the end of the model's context, where every completion ends. */
  maximum_tokens: z.number().int().min(0).nullish(),
  minimum_tokens: z.number().int().min(0).default(0),
  /** Begins each completion with the prompt. */
  echo: flag,
  /** 0 with `top_k` and `top_p` left at 0: the likeliest token in turn. 0 beside one of them counts as 1. */
  temperature: z.number().min(0).max(100).default(0),
  /** Number of likeliest tokens to choose from; 0: all. */
  top_k: z.number().int().min(0).default(0),
  /** Only the likeliest tokens whose probabilities together reach this; 0: all. Temperature first, then `top_k`, then this. */
  top_p: z.number().min(0).max(1).default(0),
  /** Lightwell's own: the same seed gives the same completions on the same device; null or left out: another each time. */
  seed: z.number().int().min(0).max(0xffff_ffff).nullish(),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  sequence_penalty: penalty,
  sequence_penalty_min_length: z.number().int().min(2).default(2),
  use_multiplicative_presence_penalty: flag,
  use_multiplicative_frequency_penalty: flag,
  use_multiplicative_sequence_penalty: flag,
  repetition_penalties_include_prompt: flag,
  repetition_penalties_include_completion: z.boolean().default(true),
  /** The tokens of this text count as being there already. */
  penalty_bias: z.string().nullish(),
  /** Their tokens are never penalised. */
  penalty_exceptions: texts,
  penalty_exceptions_include_stop_sequences: z.boolean().nullish(),
  /** How many completions are returned. */
  n: z.number().int().min(1).max(MAX_COMPLETIONS).default(1),
  /** How many are written; the `n` that are likeliest per token are returned. Null or left out: `n`. */
  best_of: z.number().int().min(1).max(MAX_COMPLETIONS).nullish(),
  /** Added to the scores of token ids. */
  logit_bias: logitBias,
  /** 0: the log-probability of each token; n: also those of the n likeliest in its place. */
  log_probs: z.number().int().min(0).max(MAX_ALTERNATIVES).nullish(),
  /** A completion ends before the first of them. */
  stop_sequences: texts,
  tokens: flag,
  /** Returns the text as it was written, with the stop sequence that ended it. */
  raw_completion: flag,
  /** Nothing is ever optimised: prompt and completion are left as they are. */
  disable_optimizations: flag,
  /** The completion is made of these texts only. */
  completion_bias_inclusion: texts,
  completion_bias_inclusion_first_token_only: flag,
  /** The completion contains none of these texts. */
  completion_bias_exclusion: texts,
  completion_bias_exclusion_first_token_only: flag,
  response_format: ResponseFormat,
  /** Answers with server-sent events, see `CompleteEvent`. */
  stream: z.boolean().nullish(),
});
export type CompleteRequest = z.infer<typeof CompleteRequest>;

/**
 * Body of `POST /complete/json`: that of `/complete`, whose completions are JSON whatever it leaves out. Without a `response_format`
 * they are objects.
 *
 * @source the hosted service's API reference 4.2.0, "JSON Completion"
 */
export const CompleteJsonRequest = CompleteRequest.extend({
  response_format: z.discriminatedUnion('type', [z.object({ type: z.literal('json_object') }), jsonOfSchema]).nullish(),
}).meta({ id: 'CompleteJsonRequest' });

/** Tokens as people read them, with the natural logarithm of their probability; of two that read alike the written one. */
const LogProbabilities = z.record(z.string(), z.number());

/** Why a completion ended. @source recorded replies, and the finish reasons that public clients tell apart */
export const FinishReason = z.enum(['maximum_tokens', 'end_of_text', 'stop_sequence_reached']);
export type FinishReason = z.infer<typeof FinishReason>;

/** A completion: all of it, or the new part. */
const written = {
  index: z.number().int(),
  completion: z.string(),
  /** With `raw_completion`, `tokens` or `log_probs`. */
  raw_completion: z.string().optional(),
  /** With `log_probs`: one entry for each token; that of the first token of an echoed prompt is empty. */
  log_probs: z.array(LogProbabilities).optional(),
  /** With `tokens`. */
  completion_tokens: z.array(z.string()).optional(),
};

const CompletionResult = namedObject('CompletionResult', { ...written, finish_reason: FinishReason });

const counts = {
  /** Of the prompt, once for each completion that was written. */
  num_tokens_prompt_total: z.number().int(),
  /** Of all completions that were written; the end of a text does not count. */
  num_tokens_generated: z.number().int(),
};

/** Answer of `POST /complete`. */
export const CompleteResponse = namedObject('CompleteResponse', {
  completions: z.array(CompletionResult),
  model_version: z.string(),
  ...counts,
});
export type CompleteResponse = z.infer<typeof CompleteResponse>;

/** The part of a completion since the last one with this index. @source recorded replies, `stream_chunk` */
export const CompletionPart = namedObject('CompletionPart', written);
export type CompletionPart = z.infer<typeof CompletionPart>;

/**
 * Data of a server-sent event: any number of `stream_chunk`; a `stream_summary` for each completion; then a
 * `completion_summary`. A failure after the first of them is an `error`.
 *
 * @source recorded replies; the hosted service's public client, `stream_item_from_json`
 */
export const CompleteEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('stream_chunk'), ...written }),
    z.object({
      type: z.literal('stream_summary'),
      index: z.number().int(),
      model_version: z.string(),
      finish_reason: FinishReason,
    }),
    z.object({ type: z.literal('completion_summary'), ...counts }),
    z.object({ type: z.literal('error'), error: z.string(), code: z.string() }),
  ])
  .meta({ id: 'CompleteEvent' });
export type CompleteEvent = z.infer<typeof CompleteEvent>;
