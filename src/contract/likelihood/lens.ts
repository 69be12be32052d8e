import { z } from '../wire/zod.ts';
import { sharedFields } from '../request.ts';
import { MOST_ALTERNATIVES, PredictedToken } from './predict.ts';

const { normalize: _, ...fields } = sharedFields;

/** Most positions of a prompt that `POST /lens` looks at. */
export const MOST_POSITIONS = 64;

/**
 * Body of `POST /lens`, an operation of Lightwell's own: what the model would predict if it ended after each of its
 * layers. The hosted service does not have it.
 *
 * @source nostalgebraist 2020, "interpreting GPT: the logit lens"
 */
export const LensRequest = z
  .object({
    ...fields,
    /** How many of the prompt's last tokens are looked at; a shorter prompt gives as many as it has. */
    positions: z.number().int().min(1).max(MOST_POSITIONS).default(1),
    /** How many of the likeliest tokens are listed for each layer. */
    alternatives: z.number().int().min(1).max(MOST_ALTERNATIVES).default(5),
    /** Text whose first token is rated at each layer; null or left out: none. */
    target: z.string().nullable().default(null),
  })
  .meta({ id: 'LensRequest' });
export type LensRequest = z.infer<typeof LensRequest>;
/** The same before defaults are filled in: what a client sends. */
export type LensBody = z.input<typeof LensRequest>;

/** What a layer would predict behind a position: its hidden state through the final norm and the output embedding. */
export const LensLayer = z
  .object({
    /** 0 is the word embeddings; the last is what the model itself predicts. */
    layer: z.number().int(),
    /** The likeliest first. */
    tokens: z.array(PredictedToken),
    /** The first token of the target, and its place among all tokens, from 1; null when the request had no target. */
    target: PredictedToken.extend({ rank: z.number().int() }).nullable(),
  })
  .meta({ id: 'LensLayer' });
export type LensLayer = z.infer<typeof LensLayer>;

/** Answer of `POST /lens`, in the order of the prompt; the last position is that of the prompt's last token. */
export const LensResponse = z
  .object({
    model_version: z.string(),
    positions: z.array(z.object({ token: z.string(), layers: z.array(LensLayer) })),
  })
  .meta({ id: 'LensResponse' });
export type LensResponse = z.infer<typeof LensResponse>;
