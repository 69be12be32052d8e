import { z } from '../wire/zod.ts';
import { sharedFields } from '../request.ts';

const { normalize: _, ...fields } = sharedFields;

/** Most tokens that `POST /predict` writes. */
export const MOST_PREDICTED = 64;
/** Most alternatives that `POST /predict` lists for each position. */
export const MOST_ALTERNATIVES = 20;

/**
 * Body of `POST /predict`, an operation of Lightwell's own: what the model itself says behind a prompt, and how it rates
 * a target there. The hosted service does not have it.
 */
export const PredictRequest = z
  .object({
    ...fields,
    /** Text to rate behind the prompt, token by token; null or left out: none. */
    target: z.string().nullable().default(null),
    /** How many of the likeliest tokens are listed for each target position. */
    alternatives: z.number().int().min(1).max(MOST_ALTERNATIVES).default(5),
    /** Tokens of the model's own continuation at most; 0 for none. */
    maximum_tokens: z.number().int().min(0).max(MOST_PREDICTED).default(8),
  })
  .meta({ id: 'PredictRequest' });
export type PredictRequest = z.infer<typeof PredictRequest>;
/** The same before defaults are filled in: what a client sends. */
export type PredictBody = z.input<typeof PredictRequest>;

/** A token as people read it, with its leading space, and the natural logarithm of its probability. */
export const PredictedToken = z
  .object({ token: z.string(), log_probability: z.number() })
  .meta({ id: 'PredictedToken' });
export type PredictedToken = z.infer<typeof PredictedToken>;

/** A target token and the likeliest tokens in its place, the likeliest first. */
export const RatedToken = PredictedToken.extend({ alternatives: z.array(PredictedToken) }).meta({ id: 'RatedToken' });
export type RatedToken = z.infer<typeof RatedToken>;

/** Answer of `POST /predict`. Each probability is that of the token given the prompt and the tokens before it. */
export const PredictResponse = z
  .object({
    model_version: z.string(),
    /** The likeliest token at each step, up to the end of the text or `maximum_tokens`. */
    continuation: z.object({ text: z.string(), tokens: z.array(PredictedToken) }),
    /** null when the request had no target. */
    target: z.object({ log_probability: z.number(), tokens: z.array(RatedToken) }).nullable(),
  })
  .meta({ id: 'PredictResponse' });
export type PredictResponse = z.infer<typeof PredictResponse>;
