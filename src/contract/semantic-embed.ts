import { z } from './wire/zod.ts';
import { Prompt } from './prompt.ts';
import { sharedFields } from './request.ts';

/**
 * What an embedding is for. Symmetric ones are compared with symmetric ones; queries with documents.
 *
 * @source interface.md, POST /batch_semantic_embed
 */
export const Representation = z.enum(['symmetric', 'document', 'query']);
export type Representation = z.infer<typeof Representation>;

/** Prompts that one batch may hold. @source contract facts §1.4 */
export const MAX_PROMPTS = 100;

/** The only compressed size there is. @source interface.md, Limits */
export const COMPRESSED_SIZE = 128;

const { prompt, model, ...options } = sharedFields;
const semanticFields = {
  ...options,
  /** Left out: the default model for semantic embeddings. */
  model: model.nullish(),
  representation: Representation,
  compress_to_size: z.literal(COMPRESSED_SIZE).nullish(),
};

/** Body of `POST /semantic_embed`. */
export const SemanticEmbedRequest = z.object({ prompt, ...semanticFields }).meta({ id: 'SemanticEmbedRequest' });
export type SemanticEmbedRequest = z.infer<typeof SemanticEmbedRequest>;
/** The same before defaults are filled in: what a client sends. */
export type SemanticEmbedBody = z.input<typeof SemanticEmbedRequest>;

/** Body of `POST /batch_semantic_embed`. */
export const BatchSemanticEmbedRequest = z
  .object({ prompts: z.array(Prompt).max(MAX_PROMPTS), ...semanticFields })
  .meta({ id: 'BatchSemanticEmbedRequest' });
export type BatchSemanticEmbedRequest = z.infer<typeof BatchSemanticEmbedRequest>;
/** The same before defaults are filled in: what a client sends. */
export type BatchSemanticEmbedBody = z.input<typeof BatchSemanticEmbedRequest>;

/** Answer of `POST /semantic_embed`. @source contract facts §1.4 */
export const SemanticEmbedResponse = z
  .object({ model_version: z.string(), embedding: z.array(z.number()), num_tokens_prompt_total: z.number().int() })
  .meta({ id: 'SemanticEmbedResponse' });
export type SemanticEmbedResponse = z.infer<typeof SemanticEmbedResponse>;

/** Answer of `POST /batch_semantic_embed`, in the order of the prompts. */
export const BatchSemanticEmbedResponse = z
  .object({
    model_version: z.string(),
    embeddings: z.array(z.array(z.number())),
    num_tokens_prompt_total: z.number().int(),
  })
  .meta({ id: 'BatchSemanticEmbedResponse' });
export type BatchSemanticEmbedResponse = z.infer<typeof BatchSemanticEmbedResponse>;
