import { z } from './wire/zod.ts';
import { Prompt } from './prompt.ts';

/** Fields that `/embed` and `/explain` share. @source interface.md, Shared request elements */
export const sharedFields = {
  model: z.string().min(1),
  hosting: z.string().nullish(),
  prompt: Prompt,
  normalize: z.boolean().default(false),
  contextual_control_threshold: z.number().nullish(),
  control_log_additive: z.boolean().default(true),
};

/** Body of every failed answer. @source facts §1.8 */
export const ErrorBody = z.object({ error: z.string(), code: z.string() }).meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;
