import { notServedByEmbedding } from './not-served.ts';
import { Prompt, sharedFields } from './prompt.ts';
import { MAX_PROMPTS } from './wire/limits.ts';
import { namedObject, z } from './wire/zod.ts';

// Smaller operations of the hosted service. The interface does not describe them; names and meanings are those of its public client.

/** UTF-16 units of the longest text, and ids of the longest list: some hundred milliseconds of work. */
const MAX_LENGTH = 2 ** 20;

const model = z.string().min(1);
const hosting = z.string().nullish();

/** Body of `POST /tokenize`. @source the hosted service's public Python client, tokenization.py */
export const TokenizeRequest = namedObject('TokenizeRequest', {
  model,
  hosting,
  prompt: z.string().max(MAX_LENGTH),
  tokens: z.boolean().default(true),
  token_ids: z.boolean().default(true),
});

/** Answer of `POST /tokenize`: what was asked for. Tokens are those of the vocabulary, with `Ġ` for a space where it has that; no special ones are added. */
export const TokenizeResponse = namedObject('TokenizeResponse', {
  tokens: z.array(z.string()).optional(),
  token_ids: z.array(z.number().int()).optional(),
});

/** Body of `POST /detokenize`. @source the hosted service's public Python client, detokenization.py */
export const DetokenizeRequest = namedObject('DetokenizeRequest', {
  model,
  hosting,
  token_ids: z.array(z.number().int().min(0)).max(MAX_LENGTH),
});

/** Answer of `POST /detokenize`. */
export const DetokenizeResponse = namedObject('DetokenizeResponse', { result: z.string() });

/** Body of `POST /rerank`. @source the hosted service's public Python client, reranking.py */
export const RerankRequest = namedObject('RerankRequest', {
  model,
  hosting,
  query: z.string().min(1),
  documents: z.array(z.string().min(1)).min(1).max(MAX_PROMPTS),
  /** Null or left out: all. */
  top_n: z.number().int().min(1).nullish(),
});

/** Answer of `POST /rerank`, the most relevant document first. A score is the cosine of query and document. */
export const RerankResponse = namedObject('RerankResponse', {
  results: z.array(z.object({ index: z.number().int(), relevance_score: z.number() })),
  usage: z.object({
    prompt_tokens: z.number().int(),
    completion_tokens: z.number().int(),
    total_tokens: z.number().int(),
  }),
});

const { prompt: _, normalize, ...options } = sharedFields;
const { instruction: __, input: ___, ...notServed } = notServedByEmbedding;

/** Body of `POST /instructable_embed`. @source the hosted service's public Python client, `InstructableEmbeddingRequest` */
export const InstructableEmbedRequest = namedObject('InstructableEmbedRequest', {
  ...notServed,
  ...options,
  normalize,
  input: Prompt,
  /** What the vector is for, in words; '' for nothing. */
  instruction: z.string(),
});
