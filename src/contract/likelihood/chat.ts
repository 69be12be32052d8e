import { z } from '../wire/zod.ts';

/** Who says something. @source the hosted service's public client, `Role` */
export const ChatRole = z.enum(['system', 'user', 'assistant']);
export type ChatRole = z.infer<typeof ChatRole>;

/** One message of a dialogue. */
export const ChatMessage = z.object({ role: ChatRole, content: z.string() }).meta({ id: 'ChatMessage' });
export type ChatMessage = z.infer<typeof ChatMessage>;

/** Most messages of a dialogue. */
const MOST_MESSAGES = 1000;

/**
 * Body of `POST /chat/completions`. The interface does not describe this operation of the hosted service; names, defaults and
 * meanings are those of its public client, `ChatRequest`, and of `POST /complete`. `seed` is Lightwell's own.
 *
 * @source the hosted service's public Python client, chat.py
 */
export const ChatRequest = z
  .object({
    model: z.string().min(1),
    hosting: z.string().nullish(),
    messages: z.array(ChatMessage).min(1).max(MOST_MESSAGES),
    maximum_tokens: z.number().int().min(0).nullish(),
    /** Another name of the same, which other clients use. */
    max_tokens: z.number().int().min(0).nullish(),
    temperature: z.number().min(0).max(100).default(0),
    top_k: z.number().int().min(0).default(0),
    top_p: z.number().min(0).max(1).default(0),
    seed: z.number().int().min(0).max(0xffff_ffff).nullish(),
    /** Answers with server-sent events, see `ChatEvent`. */
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean() }).nullish(),
  })
  .meta({ id: 'ChatRequest' });
export type ChatRequest = z.infer<typeof ChatRequest>;
/** The same before defaults are filled in: what a client sends. */
export type ChatBody = z.input<typeof ChatRequest>;

/** Why an answer ended: the model ended it, or it is as long as was asked for. */
const finish = z.enum(['stop', 'length']);

const usage = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
});

/** Fields of every object of the answer. `created` is in seconds since 1970; `model` is the model's name and version. */
const head = {
  id: z.string(),
  created: z.number().int(),
  model: z.string(),
  system_fingerprint: z.string().nullable(),
};

/** Answer of `POST /chat/completions`. @source recorded replies of the service */
export const ChatResponse = z
  .object({
    ...head,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({ finish_reason: finish, index: z.number().int(), message: ChatMessage, logprobs: z.null() }),
    ),
    usage,
  })
  .meta({ id: 'ChatResponse' });
export type ChatResponse = z.infer<typeof ChatResponse>;

/**
 * Data of a server-sent event: the role, then the text that is new, then the reason why it ended; with
 * `stream_options.include_usage` one more without choices. The last event is `[DONE]`. A failure on the way is an `error`.
 *
 * @source recorded replies of the service
 */
export const ChatEvent = z
  .union([
    z.object({
      ...head,
      object: z.literal('chat.completion.chunk'),
      choices: z.array(
        z.object({
          finish_reason: finish.nullable(),
          index: z.number().int(),
          delta: z.object({ role: ChatRole.optional(), content: z.string().optional() }),
          logprobs: z.null(),
        }),
      ),
      usage: usage.nullable(),
    }),
    z.object({ error: z.string(), code: z.string() }),
    z.literal('[DONE]'),
  ])
  .meta({ id: 'ChatEvent' });
export type ChatEvent = z.infer<typeof ChatEvent>;
