import { namedObject, z } from './wire/zod.ts';
import { promptFields } from './prompt.ts';
import { steeringFields } from './steering.ts';

/** Most tokens that `POST /predict` writes. */
const MAX_PREDICTED = 64;
/** Most alternatives that `POST /predict` lists for each position. */
export const MAX_ALTERNATIVES = 20;

/** Body of `POST /predict`, Lightwell's own: how the model continues a prompt, and how it rates a target there. */
export const PredictRequest = namedObject('PredictRequest', {
  ...promptFields,
  ...steeringFields,
  /** Text to rate after the prompt, token by token; null or left out: none. */
  target: z.string().nullable().default(null),
  /** How many of the likeliest tokens are listed for each target position. */
  alternatives: z.number().int().min(1).max(MAX_ALTERNATIVES).default(5),
  /** Tokens of the model's own continuation at most; 0 for none. */
  maximum_tokens: z.number().int().min(0).max(MAX_PREDICTED).default(8),
});
export type PredictRequest = z.infer<typeof PredictRequest>;
/** The body as a client sends it, before defaults are filled in. */
export type PredictBody = z.input<typeof PredictRequest>;

/** A token as people read it, with its leading space, and the natural logarithm of its probability. */
export const PredictedToken = namedObject('PredictedToken', { token: z.string(), log_probability: z.number() });
export type PredictedToken = z.infer<typeof PredictedToken>;

/** A target token and the likeliest tokens in its place, the likeliest first. */
export const RatedToken = PredictedToken.extend({ alternatives: z.array(PredictedToken) }).meta({ id: 'RatedToken' });
export type RatedToken = z.infer<typeof RatedToken>;

/** Answer of `POST /predict`. Each probability is that of the token given the prompt and the tokens before it. */
export const PredictResponse = namedObject('PredictResponse', {
  model_version: z.string(),
  /** The likeliest token at each step, up to the end of the text or `maximum_tokens`. */
  continuation: z.object({ text: z.string(), tokens: z.array(PredictedToken) }),
  /** null when the request had no target. */
  target: z.object({ log_probability: z.number(), tokens: z.array(RatedToken) }).nullable(),
});
export type PredictResponse = z.infer<typeof PredictResponse>;

/**
 * Body of `POST /evaluate`. The interface does not describe this operation of the hosted service; names and meanings are
 * those of its public clients.
 *
 * @source contract facts §1.5, which compares `/evaluate` with `/explain`
 */
export const EvaluateRequest = namedObject('EvaluateRequest', {
  ...promptFields,
  ...steeringFields,
  completion_expected: z.string(),
});
export type EvaluateRequest = z.infer<typeof EvaluateRequest>;

/** How likely the expected completion is. Natural logarithms, in nats. */
const Evaluation = namedObject('Evaluation', {
  log_probability: z.number(),
  /** −`log_probability`, never negative. An early record of the service lacks the sign; perplexity is defined with it. */
  log_perplexity: z.number(),
  log_perplexity_per_token: z.number(),
  log_perplexity_per_character: z.number(),
  /** Whether the likeliest token is the expected one, at each of its positions. Left out for a model behind a server. */
  correct_greedy: z.boolean().optional(),
  token_count: z.number().int(),
  /** Code points. */
  character_count: z.number().int(),
  /** The likeliest token at each position after the prompt and the expected tokens before it, joined. Left out as `correct_greedy` is. */
  completion: z.string().optional(),
});

/** Answer of `POST /evaluate`; `message` is always null: this service has no warnings. */
export const EvaluateResponse = namedObject('EvaluateResponse', {
  model_version: z.string(),
  message: z.string().nullable(),
  result: Evaluation,
  num_tokens_prompt_total: z.number().int(),
});
export type EvaluateResponse = z.infer<typeof EvaluateResponse>;

/** Most positions of a prompt that `POST /lens` looks at. */
const MAX_POSITIONS = 64;

/**
 * Body of `POST /lens`, an operation of Lightwell's own: what the model would predict if it ended after each of its
 * layers. The hosted service does not have it.
 *
 * @source nostalgebraist 2020, "interpreting GPT: the logit lens"
 */
export const LensRequest = namedObject('LensRequest', {
  ...promptFields,
  ...steeringFields,
  /** How many of the prompt's last tokens are looked at; a shorter prompt gives as many as it has. */
  positions: z.number().int().min(1).max(MAX_POSITIONS).default(1),
  /** How many of the likeliest tokens are listed for each layer. */
  alternatives: z.number().int().min(1).max(MAX_ALTERNATIVES).default(5),
  /** Text whose first token is rated at each layer; null or left out: none. */
  target: z.string().nullable().default(null),
});
export type LensRequest = z.infer<typeof LensRequest>;

/** The prediction of a layer after a position: its hidden state through the final norm and the output embedding. */
const LensLayer = namedObject('LensLayer', {
  /** 0 is the word embeddings; the last is what the model itself predicts. */
  layer: z.number().int(),
  /** The likeliest first. */
  tokens: z.array(PredictedToken),
  /** The first token of the target, and its place among all tokens, from 1; null when the request had no target. */
  target: PredictedToken.extend({ rank: z.number().int() }).nullable(),
});
type LensLayer = z.infer<typeof LensLayer>;

/** Answer of `POST /lens`, in the order of the prompt; the last position is that of the prompt's last token. */
export const LensResponse = namedObject('LensResponse', {
  model_version: z.string(),
  positions: z.array(z.object({ token: z.string(), layers: z.array(LensLayer) })),
});
export type LensResponse = z.infer<typeof LensResponse>;
