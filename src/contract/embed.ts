import { COMPRESSED_SIZE, MAX_PROMPTS, POOLINGS } from './wire/limits.ts';
import { namedObject, z } from './wire/zod.ts';
import { notServedByEmbedding } from './not-served.ts';
import { Prompt, sharedFields } from './prompt.ts';

/** How the vectors of all tokens become one. @source interface.md, `pooling` */
export const Pooling = z.enum(POOLINGS);
export type Pooling = z.infer<typeof Pooling>;

/**
 * Body of `POST /embed`. `layers` and `pooling` may be left out: the last layer and `mean`, as a caller who asks for
 * "the embedding" expects (the reference marks neither as required).
 */
export const EmbedRequest = namedObject('EmbedRequest', {
  ...notServedByEmbedding,
  ...sharedFields,
  layers: z.array(z.number().int()).min(1).nullish(),
  pooling: z.array(Pooling).min(1).nullish(),
  /** Those of the service's other values ask for what `/semantic_embed` gives. @source interface.md, POST /embed */
  type: z.literal('default').nullish(),
  tokens: z.boolean().nullish(),
});
export type EmbedRequest = z.infer<typeof EmbedRequest>;

/** Answer of `POST /embed`; layer keys are `layer_<n>`, negative indices resolved. @source facts §1.3 */
export const EmbedResponse = namedObject('EmbedResponse', {
  model_version: z.string(),
  embeddings: z.record(z.string(), z.partialRecord(Pooling, z.array(z.number()))),
  tokens: z.array(z.string()).nullable(),
  num_tokens_prompt_total: z.number().int(),
});
export type EmbedResponse = z.infer<typeof EmbedResponse>;

/** Symmetric embeddings are compared with symmetric ones, queries with documents. @source interface.md */
export const Representation = z.enum(['symmetric', 'document', 'query']);
export type Representation = z.infer<typeof Representation>;

const { prompt, model, ...options } = sharedFields;
const semanticFields = {
  ...notServedByEmbedding,
  ...options,
  /** Left out: the default model for semantic embeddings. */
  model: model.nullish(),
  representation: Representation,
  compress_to_size: z.literal(COMPRESSED_SIZE).nullish(),
};

/** Body of `POST /semantic_embed`. */
export const SemanticEmbedRequest = namedObject('SemanticEmbedRequest', { prompt, ...semanticFields });

/** Body of `POST /batch_semantic_embed`. */
export const BatchSemanticEmbedRequest = namedObject('BatchSemanticEmbedRequest', {
  prompts: z.array(Prompt).max(MAX_PROMPTS),
  ...semanticFields,
});
export type BatchSemanticEmbedRequest = z.infer<typeof BatchSemanticEmbedRequest>;

/** Answer of `POST /semantic_embed`. @source contract facts §1.4 */
export const SemanticEmbedResponse = namedObject('SemanticEmbedResponse', {
  model_version: z.string(),
  embedding: z.array(z.number()),
  num_tokens_prompt_total: z.number().int(),
});
export type SemanticEmbedResponse = z.infer<typeof SemanticEmbedResponse>;

/** Answer of `POST /batch_semantic_embed`, in the order of the prompts. */
export const BatchSemanticEmbedResponse = namedObject('BatchSemanticEmbedResponse', {
  model_version: z.string(),
  embeddings: z.array(z.array(z.number())),
  num_tokens_prompt_total: z.number().int(),
});
export type BatchSemanticEmbedResponse = z.infer<typeof BatchSemanticEmbedResponse>;
