import { namedObject, z } from './wire/zod.ts';

/** One model as `GET /model-settings` lists it (the fields of version 1.19). @source facts §1.7 */
export const ModelSettings = namedObject('ModelSettings', {
  name: z.string(),
  description: z.string(),
  max_context_size: z.number().int(),
  aligned: z.boolean(),
  semantic_embedding: z.boolean(),
  advanced_sampling: z.boolean(),
  multimodal: z.boolean(),
  chat: z.boolean(),
  prompt_template: z.string(),
  /** Lightwell's own: whether it is a reader, made for `POST /qa`; other models write their answers. */
  qa: z.boolean(),
  /** Lightwell's own: how the model is run. */
  tier: z.enum(['steered', 'as_exported', 'refused']),
  /** Lightwell's own: why its graph is not rewritten; null where it is. */
  reason: z.string().nullable(),
  /** Lightwell's own: factor whose scores agree best with deletion, measured on the page; null where it was not. */
  control_factor: z.number().nullable(),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

/** Answer of `GET /model-settings`. */
export const ModelSettingsResponse = z.array(ModelSettings).meta({ id: 'ModelSettingsResponse' });

/** One model as `GET /models_available` lists it, which older clients call. @source contract facts §1.7 */
export const AvailableModel = namedObject('AvailableModel', {
  name: z.string(),
  description: z.string(),
  max_context_size: z.number().int(),
  hostings: z.array(z.string()),
  image_support: z.boolean(),
  qa_support: z.boolean(),
  summarization_support: z.boolean(),
  embedding_types: z.array(z.string()),
  maximum_completion_tokens: z.number().int().nullable(),
  aligned: z.boolean(),
});
export type AvailableModel = z.infer<typeof AvailableModel>;

/** Answer of `GET /models_available`. */
export const ModelsAvailableResponse = z.array(AvailableModel).meta({ id: 'ModelsAvailableResponse' });
