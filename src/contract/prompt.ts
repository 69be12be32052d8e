import { MAX_FACTOR } from './wire/limits.ts';
import { namedObject, z } from './wire/zod.ts';

/** How a control that covers part of a token counts. @source interface.md, `control_token_overlap` */
export const TokenOverlap = z.enum(['partial', 'complete']);
export type TokenOverlap = z.infer<typeof TokenOverlap>;

/** Factor on the attention paid to a token: 0 suppresses it, 1 changes nothing. @source interface.md, `control_factor` */
export const Factor = z.number().min(0).max(MAX_FACTOR);

/** Factor on a span of a text item; `start` and `length` count code points of that item. @source facts §1.2 */
const TextControl = namedObject('TextControl', {
  start: z.number().int().min(0),
  length: z.number().int().min(0),
  factor: Factor,
  token_overlap: TokenOverlap.nullish(),
});

/** Factor on one id of a token item; `index` is relative to the item. @source facts §1.2 */
const TokenControl = namedObject('TokenControl', { index: z.number().int().min(0), factor: Factor });

const share = z.number().min(0).max(1);

/** Factor on a rectangle of an image, 0 … 1 of the whole, uncropped image. @source facts §1.2 */
export const ImageControl = namedObject('ImageControl', {
  rect: z.object({ left: share, top: share, width: share, height: share }),
  factor: Factor,
  token_overlap: TokenOverlap.nullish(),
});
export type ImageControl = z.infer<typeof ImageControl>;

const TextItem = namedObject('TextPromptItem', {
  type: z.literal('text'),
  data: z.string(),
  controls: z.array(TextControl).nullish(),
});

const TokenIdsItem = namedObject('TokenIdsPromptItem', {
  type: z.literal('token_ids'),
  data: z.array(z.number().int().min(0)),
  controls: z.array(TokenControl).nullish(),
});

/**
 * The bytes of a PNG, JPEG or WebP file in base64. `x`, `y` and `size` crop a square, in pixels of the picture as it is
 * shown, and come together; without them it is the largest in the middle. @source facts §1.2
 */
const ImageItem = namedObject('ImagePromptItem', {
  type: z.literal('image'),
  data: z.string(),
  x: z.number().int().min(0).nullish(),
  y: z.number().int().min(0).nullish(),
  size: z.number().int().min(1).nullish(),
  controls: z.array(ImageControl).nullish(),
});

/** One piece of a multimodal prompt. */
export const PromptItem = z.discriminatedUnion('type', [TextItem, TokenIdsItem, ImageItem]).meta({ id: 'PromptItem' });
export type PromptItem = z.infer<typeof PromptItem>;

/** A plain string, or items that are concatenated into a single prompt. @source interface.md, Prompt */
export const Prompt = z.union([z.string(), z.array(PromptItem)]).meta({ id: 'Prompt' });
export type Prompt = z.infer<typeof Prompt>;

/** Fields that `/embed` and `/explain` share. @source interface.md, Shared request elements */
export const sharedFields = {
  model: z.string().min(1),
  hosting: z.string().nullish(),
  prompt: Prompt,
  normalize: z.boolean().default(false),
  /** Cosine similarity from which a control spreads to other tokens; null or left out: explicit tokens only. */
  contextual_control_threshold: z.number().nullish(),
  /** true: ln(factor) is added to the scores; false: (score − row minimum) × factor. */
  control_log_additive: z.boolean().default(true),
};

const { normalize: _, ...fields } = sharedFields;

/** Those of operations without `normalize`. */
export const promptFields = fields;

/** Body of every failed answer. @source facts §1.8 */
export const ErrorBody = namedObject('Error', { error: z.string(), code: z.string() });
export type ErrorBody = z.infer<typeof ErrorBody>;
