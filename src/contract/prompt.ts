import { MAX_FACTOR } from './wire/max-factor.ts';
import { z } from './wire/zod.ts';

/** How a control that covers part of a token counts. @source interface.md, `control_token_overlap` */
export const TokenOverlap = z.enum(['partial', 'complete']);
export type TokenOverlap = z.infer<typeof TokenOverlap>;

/** Factor on the attention paid to a token: 0 suppresses it, 1 changes nothing. @source interface.md, `control_factor` */
export const Factor = z.number().min(0).max(MAX_FACTOR);

/** Factor on a stretch of a text item; `start` and `length` count code points of that item. @source facts §1.2 */
export const TextControl = z
  .object({
    start: z.number().int().min(0),
    length: z.number().int().min(0),
    factor: Factor,
    token_overlap: TokenOverlap.nullish(),
  })
  .meta({ id: 'TextControl' });
export type TextControl = z.infer<typeof TextControl>;

/** Factor on one id of a token item; `index` is relative to the item. @source facts §1.2 */
export const TokenControl = z.object({ index: z.number().int().min(0), factor: Factor }).meta({ id: 'TokenControl' });
export type TokenControl = z.infer<typeof TokenControl>;

/** A share of an image's width or height. */
const share = z.number().min(0).max(1);

/** Factor on a rectangle of an image, 0 … 1 of the whole, uncropped image. @source facts §1.2 */
export const ImageControl = z
  .object({
    rect: z.object({ left: share, top: share, width: share, height: share }),
    factor: Factor,
    token_overlap: TokenOverlap.nullish(),
  })
  .meta({ id: 'ImageControl' });
export type ImageControl = z.infer<typeof ImageControl>;

const TextItem = z
  .object({ type: z.literal('text'), data: z.string(), controls: z.array(TextControl).nullish() })
  .meta({ id: 'TextPromptItem' });

const TokenIdsItem = z
  .object({
    type: z.literal('token_ids'),
    data: z.array(z.number().int().min(0)),
    controls: z.array(TokenControl).nullish(),
  })
  .meta({ id: 'TokenIdsPromptItem' });

/**
 * The bytes of a PNG, JPEG or WebP file in base64. `x`, `y` and `size` crop a square, in pixels of the picture as it is
 * shown, and come together; without them it is the largest in the middle. @source facts §1.2
 */
const ImageItem = z
  .object({
    type: z.literal('image'),
    data: z.string(),
    x: z.number().int().min(0).nullish(),
    y: z.number().int().min(0).nullish(),
    size: z.number().int().min(1).nullish(),
    controls: z.array(ImageControl).nullish(),
  })
  .meta({ id: 'ImagePromptItem' });

/** One piece of a multimodal prompt. */
export const PromptItem = z.discriminatedUnion('type', [TextItem, TokenIdsItem, ImageItem]).meta({ id: 'PromptItem' });
export type PromptItem = z.infer<typeof PromptItem>;

/** A plain string, or items that are concatenated into a single prompt. @source interface.md, Prompt */
export const Prompt = z.union([z.string(), z.array(PromptItem)]).meta({ id: 'Prompt' });
export type Prompt = z.infer<typeof Prompt>;
