import { namedObject, z } from './wire/zod.ts';
import { Factor, sharedFields, TokenOverlap } from './prompt.ts';
import { steeringFields } from './steering.ts';

/** The parts that a prompt is divided into; left out means *auto*, the one whose number of sections is nearest to 30. */
const PromptGranularity = namedObject('PromptGranularity', {
  type: z.enum(['token', 'word', 'sentence', 'paragraph', 'custom']),
  delimiter: z.string().nullish(),
});

/** Function applied to each difference in cross entropy. */
export const Postprocessing = z.enum(['none', 'absolute', 'square']);
export type Postprocessing = z.infer<typeof Postprocessing>;

/** One explanation for the whole target, or one for each of its tokens. */
const TargetGranularity = z.enum(['complete', 'token']);

/**
 * How sections are removed and scored, Lightwell's own:
 *
 * - `attention`: the attention to each section is scaled (AtMan)
 * - `deletion`: each section is removed by itself
 * - `insertion`: each section alone is kept, compared with a prompt without any
 * - `sparse_linear`: random subsets are kept, and a sparse linear model of them gives the scores (ContextCite)
 * - `shapley`: Shapley values of random orders
 */
export const ExplainMethod = z.enum(['attention', 'deletion', 'insertion', 'sparse_linear', 'shapley']);
export type ExplainMethod = z.infer<typeof ExplainMethod>;

/** Body of `POST /explain`. @source interface.md, POST /explain */
export const ExplainRequest = namedObject('ExplainRequest', {
  ...sharedFields,
  ...steeringFields,
  target: z.string(),
  /** Lightwell's own: another text to compare the target with, in the same passes. Returns `contrast`. */
  foil: z.string().nullish(),
  control_factor: Factor.default(0.1),
  postprocessing: Postprocessing.default('none'),
  prompt_granularity: PromptGranularity.nullish(),
  target_granularity: TargetGranularity.default('complete'),
  control_token_overlap: TokenOverlap.default('partial'),
  /** Indices of the prompt items that are divided into sections; the others stay as they are. null or left out: all. */
  explained_items: z.array(z.number().int().min(0)).min(1).nullish(),
  /** null or left out: `attention`. */
  method: ExplainMethod.nullish(),
  /** Prompts whose likelihood may be computed, for all methods but `attention`; null or left out: see docs/api.md. */
  max_requests: z.number().int().min(16).max(1024).nullish(),
  /** Text in place of the sections that a method other than `attention` removes; null or left out: they are deleted. */
  replacement: z.string().nullish(),
});
export type ExplainRequest = z.infer<typeof ExplainRequest>;
/** The body as a client sends it, before defaults are filled in. */
export type ExplainBody = z.input<typeof ExplainRequest>;

/** Score of a span of text, in code points of its item. Positive: the span supports the target. */
export const TextScore = namedObject('TextScore', {
  start: z.number().int(),
  length: z.number().int(),
  score: z.number(),
});
export type TextScore = z.infer<typeof TextScore>;

/** Score of a rectangle of an image, 0 … 1 of the whole, uncropped image. @source facts §1.5 */
export const ImageScore = namedObject('ImageScore', {
  rect: z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
  score: z.number(),
});
export type ImageScore = z.infer<typeof ImageScore>;

/**
 * Only where scores are estimates: for each score null where it is exact, and for an estimate how far it may be off, nats; nine in
 * ten are not further from the exact one.
 */
const margins = z.array(z.number().nullable()).optional();

/** An item for each kind of prompt item and for the target; how token ids are scored differs. */
const itemWith = <Score extends z.ZodType>(tokenIdScore: Score) =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), scores: z.array(TextScore), margins }),
    z.object({ type: z.literal('image'), scores: z.array(ImageScore), margins }),
    z.object({ type: z.literal('token_ids'), scores: z.array(tokenIdScore), margins }),
    z.object({ type: z.literal('target'), scores: z.array(TextScore), margins }),
  ]);

/** Scores of one prompt item, in prompt order, then those of the target before the explained token. @source facts §1.5 */
export const ExplanationItem = itemWith(z.number()).meta({ id: 'ExplanationItem' });
export type ExplanationItem = z.infer<typeof ExplanationItem>;

/** How the prompt bears on one target: the whole target string, or one of its tokens. */
export const Explanation = namedObject('Explanation', { target: z.string(), items: z.array(ExplanationItem) });
export type Explanation = z.infer<typeof Explanation>;

/**
 * Why the target and not the foil. Both are explained as a whole, whatever the target's granularity; postprocessing and
 * normalisation apply to each list by itself.
 */
const Contrast = namedObject('Contrast', {
  foil: z.string(),
  /** Scores of the target minus those of the foil. Positive: the section supports the target more than the foil. */
  items: z.array(ExplanationItem),
  /** Scores of the foil, as if it were the target. */
  foil_items: z.array(ExplanationItem),
});

/** Some scores of one item; those of token ids say which id they are of, because others are still missing. */
export const PartialItem = itemWith(z.object({ index: z.number().int(), score: z.number() })).meta({
  id: 'PartialItem',
});
export type PartialItem = z.infer<typeof PartialItem>;

/** A part of an explanation: all items, each with the scores that are new since the last progress. */
export const PartialExplanation = namedObject('PartialExplanation', {
  target: z.string(),
  items: z.array(PartialItem),
});
export type PartialExplanation = z.infer<typeof PartialExplanation>;

/** How a budget was used. */
export const BudgetUse = namedObject('BudgetUse', {
  /** Positions that were computed, over those of exact scores. */
  spent: z.number(),
  /**
   * Why every score is exact although the budget allowed estimates: they would save nothing for this `prompt`, or this `model` cannot
   * make them. null: the budget was kept.
   */
  exact_because: z.enum(['prompt', 'model']).nullable(),
});
export type BudgetUse = z.infer<typeof BudgetUse>;

/** Answer of `POST /explain`. */
export const ExplainResponse = namedObject('ExplainResponse', {
  model_version: z.string(),
  explanations: z.array(Explanation),
  /** Only of a request with a `foil`. */
  contrast: Contrast.optional(),
  /**
   * Only where scores are estimates: whether their margins were measured for the model, or follow from what was computed for this
   * prompt, which makes them wider.
   */
  margins_from: z.enum(['model', 'prompt']).optional(),
  /** Only of a request with a budget below 1. */
  budget: BudgetUse.optional(),
  /** Prompts whose likelihood was computed. Only of a method other than `attention`. */
  requests: z.number().int().optional(),
  /** Tokens that the model's server has read and written. Only of a model behind a server. */
  tokens: z.number().int().optional(),
});
export type ExplainResponse = z.infer<typeof ExplainResponse>;
