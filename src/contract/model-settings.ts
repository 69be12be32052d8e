import { z } from 'zod';

/** One model as `GET /model-settings` lists it (the fields of version 1.19). @source facts §1.7 */
export const ModelSettings = z
  .object({
    name: z.string(),
    description: z.string(),
    max_context_size: z.number().int(),
    aligned: z.boolean(),
    semantic_embedding: z.boolean(),
    advanced_sampling: z.boolean(),
    multimodal: z.boolean(),
    chat: z.boolean(),
    prompt_template: z.string(),
  })
  .meta({ id: 'ModelSettings' });
export type ModelSettings = z.infer<typeof ModelSettings>;

/** Answer of `GET /model-settings`. */
export const ModelSettingsResponse = z.array(ModelSettings).meta({ id: 'ModelSettingsResponse' });
