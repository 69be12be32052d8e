import { z } from './wire/zod.ts';
import { sharedFields } from './request.ts';

/** How the vectors of all tokens become one. @source interface.md, `pooling` */
export const Pooling = z.enum(['mean', 'weighted_mean', 'max', 'last_token', 'abs_max']);
export type Pooling = z.infer<typeof Pooling>;

/**
 * Body of `POST /embed`. `layers` and `pooling` may be left out: the last layer and `mean`, as a caller who asks for
 * "the embedding" expects (the reference marks neither as required).
 */
export const EmbedRequest = z
  .object({
    ...sharedFields,
    layers: z.array(z.number().int()).min(1).nullish(),
    pooling: z.array(Pooling).min(1).nullish(),
    type: z.string().nullish(),
    tokens: z.boolean().nullish(),
  })
  .meta({ id: 'EmbedRequest' });
export type EmbedRequest = z.infer<typeof EmbedRequest>;
/** The same before defaults are filled in: what a client sends. */
export type EmbedBody = z.input<typeof EmbedRequest>;

/** Answer of `POST /embed`; layer keys are `layer_<n>`, negative indices resolved. @source facts §1.3 */
export const EmbedResponse = z
  .object({
    model_version: z.string(),
    embeddings: z.record(z.string(), z.partialRecord(Pooling, z.array(z.number()))),
    tokens: z.array(z.string()).nullable(),
    num_tokens_prompt_total: z.number().int(),
  })
  .meta({ id: 'EmbedResponse' });
export type EmbedResponse = z.infer<typeof EmbedResponse>;
