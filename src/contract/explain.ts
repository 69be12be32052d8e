import { z } from './wire/zod.ts';
import { Factor, TokenOverlap } from './prompt.ts';
import { sharedFields } from './request.ts';

/** What a prompt is cut into; left out means *auto*, the one whose number of sections is nearest to 30. */
export const PromptGranularity = z
  .object({
    type: z.enum(['token', 'word', 'sentence', 'paragraph', 'custom']),
    delimiter: z.string().nullish(),
  })
  .meta({ id: 'PromptGranularity' });
export type PromptGranularity = z.infer<typeof PromptGranularity>;

/** What is done to each difference in cross entropy. */
export const Postprocessing = z.enum(['none', 'absolute', 'square']);
export type Postprocessing = z.infer<typeof Postprocessing>;

/** One explanation for the whole target, or one for each of its tokens. */
export const TargetGranularity = z.enum(['complete', 'token']);
export type TargetGranularity = z.infer<typeof TargetGranularity>;

/** Body of `POST /explain`. @source interface.md, POST /explain */
export const ExplainRequest = z
  .object({
    ...sharedFields,
    target: z.string(),
    /** Lightwell's own: another text to hold the target against, from the same passes. Asks for `contrast`. */
    foil: z.string().nullish(),
    control_factor: Factor.default(0.1),
    postprocessing: Postprocessing.default('none'),
    prompt_granularity: PromptGranularity.nullish(),
    target_granularity: TargetGranularity.default('complete'),
    control_token_overlap: TokenOverlap.default('partial'),
  })
  .meta({ id: 'ExplainRequest' });
export type ExplainRequest = z.infer<typeof ExplainRequest>;
/** The same before defaults are filled in: what a client sends. */
export type ExplainBody = z.input<typeof ExplainRequest>;

/** Score of a stretch of text, in code points of its item. Positive: the stretch supports the target. */
export const TextScore = z
  .object({ start: z.number().int(), length: z.number().int(), score: z.number() })
  .meta({ id: 'TextScore' });
export type TextScore = z.infer<typeof TextScore>;

/** Score of a rectangle of an image, 0 … 1 of the whole, uncropped image. @source facts §1.5 */
export const ImageScore = z
  .object({
    rect: z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
    score: z.number(),
  })
  .meta({ id: 'ImageScore' });
export type ImageScore = z.infer<typeof ImageScore>;

/**
 * Only of a request with a budget: for each score null where it is exact, and for an estimate how far it may be off, nats; nine in
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
export const Explanation = z
  .object({ target: z.string(), items: z.array(ExplanationItem) })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/**
 * Why the target and not the foil. Both are explained as a whole, whatever the target's granularity; what is done to scores is
 * done to each list by itself.
 */
export const Contrast = z
  .object({
    foil: z.string(),
    /** Scores of the target minus those of the foil. Positive: the section supports the target more than the foil. */
    items: z.array(ExplanationItem),
    /** Scores of the foil, as if it were the target. */
    foil_items: z.array(ExplanationItem),
  })
  .meta({ id: 'Contrast' });
export type Contrast = z.infer<typeof Contrast>;

/** Some scores of one item; those of token ids say which id they are of, because others are still missing. */
export const PartialItem = itemWith(z.object({ index: z.number().int(), score: z.number() })).meta({
  id: 'PartialItem',
});
export type PartialItem = z.infer<typeof PartialItem>;

/** A part of an explanation: all items, each with the scores that are new since the last progress. */
export const PartialExplanation = z
  .object({ target: z.string(), items: z.array(PartialItem) })
  .meta({ id: 'PartialExplanation' });
export type PartialExplanation = z.infer<typeof PartialExplanation>;

/** What became of a budget. */
export const BudgetUse = z
  .object({
    /** Positions that were computed, over those of exact scores. */
    spent: z.number(),
    /**
     * Why every score is exact although less was asked for: estimates would save nothing for this `prompt`, or this `model` cannot
     * make them. null: the budget was kept.
     */
    exact_because: z.enum(['prompt', 'model']).nullable(),
  })
  .meta({ id: 'BudgetUse' });
export type BudgetUse = z.infer<typeof BudgetUse>;

/** Answer of `POST /explain`. */
export const ExplainResponse = z
  .object({
    model_version: z.string(),
    explanations: z.array(Explanation),
    /** Only of a request with a `foil`. */
    contrast: Contrast.optional(),
    /**
     * Only where scores are estimates: whether their margins were measured for the model, or follow from the exact scores of this
     * prompt, which makes them wider.
     */
    margins_from: z.enum(['model', 'prompt']).optional(),
    /** Only of a request with a budget below 1. */
    budget: BudgetUse.optional(),
  })
  .meta({ id: 'ExplainResponse' });
export type ExplainResponse = z.infer<typeof ExplainResponse>;
