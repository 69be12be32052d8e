import { z } from '../wire/zod.ts';
import { sharedFields } from '../request.ts';

const { normalize: _, ...fields } = sharedFields;

/**
 * Body of `POST /evaluate`. The interface does not describe this operation of the hosted service; names and meanings are
 * those of its public clients.
 *
 * @source contract facts §1.5, which compares `/evaluate` with `/explain`
 */
export const EvaluateRequest = z.object({ ...fields, completion_expected: z.string() }).meta({ id: 'EvaluateRequest' });
export type EvaluateRequest = z.infer<typeof EvaluateRequest>;
/** The same before defaults are filled in: what a client sends. */
export type EvaluateBody = z.input<typeof EvaluateRequest>;

/** How likely the expected completion is. Natural logarithms, in nats. */
export const Evaluation = z
  .object({
    log_probability: z.number(),
    /** −`log_probability`, never negative. An early record of the service lacks the sign; perplexity is defined with it. */
    log_perplexity: z.number(),
    log_perplexity_per_token: z.number(),
    log_perplexity_per_character: z.number(),
    /** Whether the likeliest token is the expected one, at each of its positions. */
    correct_greedy: z.boolean(),
    token_count: z.number().int(),
    /** Code points. */
    character_count: z.number().int(),
    /** The likeliest token at each position behind the prompt and the expected tokens before it, joined. */
    completion: z.string(),
  })
  .meta({ id: 'Evaluation' });
export type Evaluation = z.infer<typeof Evaluation>;

/** Answer of `POST /evaluate`; `message` is always null, there is nothing that this service would warn of. */
export const EvaluateResponse = z
  .object({ model_version: z.string(), message: z.string().nullable(), result: Evaluation })
  .meta({ id: 'EvaluateResponse' });
export type EvaluateResponse = z.infer<typeof EvaluateResponse>;
