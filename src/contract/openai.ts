import { MAX_COMPLETIONS, ResponseFormat } from './complete.ts';
import { MAX_ALTERNATIVES } from './likelihood.ts';
import { notServedByChat, notServedByCompletions, notServedByEmbeddings, notServedByMessages } from './not-served.ts';
import { steeringFields } from './steering.ts';
import { MAX_INPUTS, MAX_PROMPTS } from './wire/limits.ts';
import { namedObject, z } from './wire/zod.ts';

// Operations of OpenAI's API. The hosted service has `/chat/completions` and `/embeddings` in the same form.

/** Body of every failed response on OpenAI's routes. */
export const OpenAiError = namedObject('OpenAiError', {
  error: z.object({
    message: z.string(),
    type: z.enum(['invalid_request_error', 'server_error']),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

const count = z.number().int().min(0);
const penalty = z.number().min(-100).max(100).nullish();
const stop = z.string().min(1);

/** Fields of every operation that writes. All may be null. `hosting`, `top_k` and `steering_concepts` are not OpenAI's, and nor is `response_format` for completions. */
const writingFields = {
  ...steeringFields,
  model: z.string().min(1),
  hosting: z.string().nullish(),
  n: z.number().int().min(1).max(MAX_COMPLETIONS).nullish(),
  max_tokens: count.nullish(),
  /** 0: the likeliest token in turn. */
  temperature: z.number().min(0).max(100).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: count.nullish(),
  /** The same seed gives the same texts on the same device. */
  seed: z.number().int().nullish(),
  stop: z.union([stop, z.array(stop).max(100)]).nullish(),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logit_bias: z.record(z.string().regex(/^\d+$/), z.number()).nullish(),
  response_format: ResponseFormat,
  /** Answers with server-sent events. */
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
};

const alternatives = z.number().int().min(0).max(MAX_ALTERNATIVES).nullish();

/** A text, texts, token ids, or lists of token ids. */
const inputs = (most: number) => {
  const ids = z.array(count).min(1);
  return z.union([z.string(), z.array(z.string()).min(1).max(most), ids, z.array(ids).min(1).max(most)], {
    error: `a text, 1 to ${most} texts, token ids, or 1 to ${most} lists of token ids`,
  });
};
/** A value of such a field. */
export type OpenAiInputs = z.infer<ReturnType<typeof inputs>>;

/**
 * Body of `POST /v1/completions`. `prompt_logprobs` and `response_format` are not OpenAI's.
 *
 * @source OpenAI API reference, "Create completion"; vLLM, `CompletionRequest` for those two
 */
export const CompletionsRequest = namedObject('CompletionsRequest', {
  ...notServedByCompletions,
  ...writingFields,
  /** Null or left out: a text from its beginning. */
  prompt: inputs(MAX_PROMPTS).nullish(),
  best_of: z.number().int().min(1).max(MAX_COMPLETIONS).nullish(),
  echo: z.boolean().nullish(),
  /** Log-probabilities of the tokens, and of this many of the likeliest in their place. */
  logprobs: alternatives,
  /** The same for the tokens of the prompt, by token id. Not with `stream`. */
  prompt_logprobs: alternatives,
});
export type CompletionsRequest = z.infer<typeof CompletionsRequest>;

/** Why a text ended: the model or a stop sequence ended it, or it is as long as was asked for. */
const OpenAiFinish = z.enum(['stop', 'length']);

const OpenAiUsage = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
});
/** Tokens of a request and its response. */
export type OpenAiUsage = z.infer<typeof OpenAiUsage>;

/** Fields of every object of a response. `created` is in seconds since 1970; `model` is the model's name and version. */
const head = {
  id: z.string(),
  created: z.number().int(),
  model: z.string(),
  system_fingerprint: z.string().nullable(),
};

/** Natural logarithms of the probabilities of tokens; null where nothing predicts a token. */
const TextLogprobs = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  /** The likeliest tokens and the written one; of two that read alike the written one. */
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()),
  /** Code points of the choice's text before the token. */
  text_offset: z.array(z.number().int()),
});
/** Log-probabilities of the tokens of a text. */
export type TextLogprobs = z.infer<typeof TextLogprobs>;

/** Tokens in the place of a prompt's token, by their ids. */
const PromptLogprob = z.record(
  z.string(),
  z.object({ logprob: z.number(), rank: z.number().int(), decoded_token: z.string() }),
);
/** What could be in the place of a prompt's token, by token ids. */
export type PromptLogprob = z.infer<typeof PromptLogprob>;

const textChoice = { text: z.string(), index: z.number().int(), logprobs: TextLogprobs.nullable() };

/** Answer of `POST /v1/completions`: `n` choices for each prompt, in the order of the prompts. */
export const CompletionsResponse = namedObject('CompletionsResponse', {
  ...head,
  object: z.literal('text_completion'),
  choices: z.array(
    z.object({
      ...textChoice,
      finish_reason: OpenAiFinish,
      prompt_logprobs: z.array(PromptLogprob.nullable()).optional(),
    }),
  ),
  usage: OpenAiUsage,
});
export type CompletionsResponse = z.infer<typeof CompletionsResponse>;

const failed = z.union([OpenAiError, z.object({ error: z.string(), code: z.string() })]);
const done = z.literal('[DONE]');

/** Data of a server-sent event: new text; the end of each choice; the usage if it is wanted; then `[DONE]`. */
export const CompletionsEvent = z
  .union([
    z.object({
      ...head,
      object: z.literal('text_completion'),
      choices: z.array(z.object({ ...textChoice, finish_reason: OpenAiFinish.nullable() })),
      usage: OpenAiUsage.nullable(),
    }),
    failed,
    done,
  ])
  .meta({ id: 'CompletionsEvent' });

/**
 * A part of a message. A picture is a `data:` URL of a PNG, JPEG or WebP file in base64; `detail` cannot be chosen.
 *
 * @source OpenAI API reference, "Create chat completion"; the hosted service's public client, `_message_content_to_json`
 */
const ChatPart = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({
      type: z.literal('image_url'),
      image_url: z.object({ url: z.string(), detail: z.literal('auto').nullish() }),
    }),
  ])
  .meta({ id: 'ChatPart' });

/** One message of a dialogue. A `developer` speaks as `system`. @source the hosted service's public client, `Role` */
const ChatMessage = namedObject('ChatMessage', {
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  /** A text, or parts, which become lines. */
  content: z.union([z.string(), z.array(ChatPart).min(1)]),
  ...notServedByMessages,
});
/** A message as a request has it. */
export type ChatMessage = z.infer<typeof ChatMessage>;

const MAX_MESSAGES = 1000;

/**
 * Body of `POST /chat/completions` and `POST /v1/chat/completions`.
 *
 * @source the hosted service's public Python client, chat.py; OpenAI API reference, "Create chat completion"
 */
export const ChatRequest = namedObject('ChatRequest', {
  ...notServedByChat,
  ...writingFields,
  messages: z.array(ChatMessage).min(1).max(MAX_MESSAGES),
  /** Three names of the same limit; the first that is given counts. */
  max_completion_tokens: count.nullish(),
  maximum_tokens: count.nullish(),
  logprobs: z.boolean().nullish(),
  /** Only with `logprobs`. */
  top_logprobs: alternatives,
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** `bytes` are UTF-8; null for a part of a character. */
const token = { token: z.string(), logprob: z.number(), bytes: z.array(z.number().int()).nullable() };
const ChatLogprobs = z.object({
  content: z.array(z.object({ ...token, top_logprobs: z.array(z.object(token)) })),
  refusal: z.null(),
});
/** Log-probabilities of the tokens of an answer. */
export type ChatLogprobs = z.infer<typeof ChatLogprobs>;

const answer = { role: z.literal('assistant'), content: z.string(), refusal: z.null() };

/** Answer of `POST /chat/completions`. @source recorded replies of the service; OpenAI API reference */
export const ChatResponse = namedObject('ChatResponse', {
  ...head,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.object({
      finish_reason: OpenAiFinish,
      index: z.number().int(),
      message: z.object(answer),
      logprobs: ChatLogprobs.nullable(),
    }),
  ),
  usage: OpenAiUsage,
});
export type ChatResponse = z.infer<typeof ChatResponse>;

/**
 * Data of a server-sent event: the role of each choice, then the text that is new, then the reason why it ended; with
 * `stream_options.include_usage` one more without choices; then `[DONE]`. A failure on the way is an `error`.
 *
 * @source recorded replies of the service; OpenAI API reference, "Chat streaming"
 */
export const ChatEvent = z
  .union([
    z.object({
      ...head,
      object: z.literal('chat.completion.chunk'),
      choices: z.array(
        z.object({
          finish_reason: OpenAiFinish.nullable(),
          index: z.number().int(),
          delta: z.object({ role: z.literal('assistant').optional(), content: z.string().optional() }),
          logprobs: ChatLogprobs.nullable(),
        }),
      ),
      usage: OpenAiUsage.nullable(),
    }),
    failed,
    done,
  ])
  .meta({ id: 'ChatEvent' });

/**
 * Body of `POST /embeddings` and `POST /v1/embeddings`: symmetric semantic embeddings of length 1.
 *
 * @source OpenAI API reference, "Create embeddings"; the hosted service's public Python client, `EmbeddingV2Request`
 */
export const EmbeddingsRequest = namedObject('EmbeddingsRequest', {
  ...notServedByEmbeddings,
  model: z.string().min(1),
  hosting: z.string().nullish(),
  input: inputs(MAX_INPUTS),
  /** Null or left out: all that the model has. */
  dimensions: z.number().int().min(1).nullish(),
  /** `base64`: float32, little-endian. */
  encoding_format: z.enum(['float', 'base64']).nullish(),
});
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

/** Answer of `POST /v1/embeddings`, in the order of the inputs. */
export const EmbeddingsResponse = namedObject('EmbeddingsResponse', {
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.number().int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: OpenAiUsage.omit({ completion_tokens: true }),
});
export type EmbeddingsResponse = z.infer<typeof EmbeddingsResponse>;

/** Answer of `GET /v1/models/{model}`. `created` is 0: a folder does not say when its model was made. */
export const OpenAiModel = namedObject('OpenAiModel', {
  id: z.string(),
  object: z.literal('model'),
  created: z.literal(0),
  /** The deployment's name, as in the settings. */
  owned_by: z.string(),
});
export type OpenAiModel = z.infer<typeof OpenAiModel>;

/** Answer of `GET /v1/models`: the models that can be used. */
export const OpenAiModels = namedObject('OpenAiModels', { object: z.literal('list'), data: z.array(OpenAiModel) });
