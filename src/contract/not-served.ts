import { z } from './wire/zod.ts';

const NULL = z.null().optional().meta({ description: 'Not served: left out or null.' });

/**
 * Fields that the hosted service or OpenAI define for operations that write a text, and that are not served: ignored, they would give
 * another answer than the one that was asked for. Fields that are in none of these lists are ignored.
 *
 * @source the hosted service's public Python client, completion.py and chat.py; OpenAI API reference, "Create chat completion" and
 *   "Create completion"
 */
const WRITING_FIELDS = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'audio',
  'modalities',
  'prediction',
  'reasoning_effort',
  'verbosity',
  'web_search_options',
  'suffix',
  'metadata',
  'store',
  'service_tier',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
] as const;

/** Fields of `/complete` that OpenAI's operations do not have. */
const COMPLETE_FIELDS = [
  'minimum_tokens',
  'sequence_penalty',
  'sequence_penalty_min_length',
  'repetition_penalties_include_prompt',
  'repetition_penalties_include_completion',
  'use_multiplicative_presence_penalty',
  'use_multiplicative_frequency_penalty',
  'use_multiplicative_sequence_penalty',
  'penalty_bias',
  'penalty_exceptions',
  'penalty_exceptions_include_stop_sequences',
  'log_probs',
  'stop_sequences',
  'tokens',
  'raw_completion',
  'disable_optimizations',
  'completion_bias_inclusion',
  'completion_bias_inclusion_first_token_only',
  'completion_bias_exclusion',
  'completion_bias_exclusion_first_token_only',
  'contextual_control_threshold',
  'control_log_additive',
] as const;

/** Of `POST /complete`. */
export const notServedByComplete = notServed([
  ...WRITING_FIELDS,
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'logprobs',
  'top_logprobs',
  'prompt_logprobs',
  'stream_options',
]);

/** Of `POST /v1/completions`. */
export const notServedByCompletions = notServed([
  ...WRITING_FIELDS,
  ...COMPLETE_FIELDS,
  'maximum_tokens',
  'max_completion_tokens',
  'top_logprobs',
]);

/** Of `POST /chat/completions`. */
export const notServedByChat = notServed([...WRITING_FIELDS, ...COMPLETE_FIELDS, 'best_of', 'echo', 'prompt_logprobs']);

/** Of a message of a dialogue. */
export const notServedByMessages = notServed([
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'audio',
  'refusal',
]);

/** Of operations that embed: fields of other embeddings of the hosted service, and of OpenAI's. */
export const notServedByEmbedding = notServed(['input', 'instruction', 'dimensions', 'encoding_format', 'user']);

/** Of `POST /v1/embeddings`. */
export const notServedByEmbeddings = notServed(['user', 'instruction', 'representation', 'compress_to_size']);

/** Of `POST /qa`: fields that the hosted service's client had in versions 2 and 3. */
export const notServedByQa = notServed(['maximum_tokens', 'max_chunk_size', 'disable_optimizations', 'min_score']);

/** Fields that may be null, as some clients send what is not set, and nothing else. */
function notServed<Name extends string>(names: readonly Name[]): { readonly [Field in Name]: typeof NULL } {
  return Object.fromEntries(names.map((name) => [name, NULL])) as { readonly [Field in Name]: typeof NULL };
}
