import type { Span } from '../contract/code-points.ts';
import type { TokenOverlap } from '../contract/prompt.ts';

/** A checked prompt, as jobs carry it: spans in UTF-16 units, files as bytes. */
export interface JobPrompt {
  /** Where it stands in the request, such as `prompts[3]`; messages begin with it. */
  readonly path: string;
  readonly items: readonly JobPromptItem[];
}

/** One piece of a prompt. */
export type JobPromptItem = JobText | JobTokenIds | JobImage;

/** Well-formed Unicode. */
export interface JobText {
  readonly type: 'text';
  readonly text: string;
  /** On spans inside the text. */
  readonly controls: readonly JobControl[];
}

/** Ids ≥ 0; which of them the model knows is the worker's to check. */
export interface JobTokenIds {
  readonly type: 'token_ids';
  readonly ids: readonly number[];
  /** On indices inside `ids`. */
  readonly controls: readonly JobControl[];
}

/** Formats that an image may have. */
export type ImageFormat = 'PNG' | 'JPEG' | 'WebP';

/** An image file whose header was read: its format is known and it has no more pixels than are decoded. */
export interface JobImage {
  readonly type: 'image';
  /** In shared memory where it is large. */
  readonly file: Uint8Array;
  readonly format: ImageFormat;
  /** Square to look at, in pixels of the picture as it is shown; null: the largest in the middle. */
  readonly crop: Square | null;
  /** On rectangles inside the picture. */
  readonly controls: readonly JobControl[];
}

/** A part of one prompt item. */
export interface ItemPart {
  /** UTF-16, of a text. */
  readonly span?: Span;
  /** Of a picture. */
  readonly rect?: Rectangle;
  /** Of one token among ids. */
  readonly index?: number;
}

/** A factor on the attention paid to a part of an item. */
export interface JobControl extends ItemPart {
  readonly factor: number;
  readonly overlap: TokenOverlap;
}

/** Pixels of a picture that a model looks at. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A rectangle of a picture, 0 … 1 of its whole width and height. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
