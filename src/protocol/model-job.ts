import type { EmbedRequest } from '../contract/embed.ts';
import type { Model, Tier } from '../models/model.ts';
import type { Span } from '../contract/code-points.ts';
import type { ImageControl, TokenOverlap } from '../contract/prompt.ts';

/** The backends of the page. */
export type BackendKind = 'webgpu' | 'wasm';

/** The backend that computes a model's passes: one of the page's, or a remote engine. */
export type ComputedBy = BackendKind | 'remote';

/** An engine elsewhere that speaks the Open Inference Protocol v2, as it is reached through the local server. */
export interface RemoteEngine {
  /** Where the local server takes requests for it, ending in a slash. */
  readonly url: string;
  /** The engine's own address, for people; the local server compares it with its own. */
  readonly address: string;
  /** The model's name there. */
  readonly model: string;
  /** This page's token: the local server passes on nothing without it. */
  readonly token: string;
}

/** The device that a model runs on. */
export interface Device {
  /** Left out: measured. */
  readonly backend?: BackendKind;
  /** Where the passes of the network run instead; everything else of the model stays in the page. */
  readonly remote?: RemoteEngine;
  /** The OpenAI-compatible server that has the model, and how many tokens it may read for the job; null: any number. */
  readonly upstream?: RemoteEngine & { readonly maxTokens: number | null };
  /** Folder with ONNX Runtime's WebAssembly and its loader, ending in a slash; left out: beside the worker. */
  readonly wasmUrl?: string;
  /** WebAssembly threads; default: one a core, up to four. Ignored without isolation, and for exported models. */
  readonly threads?: number;
}

/** A vector that is added to the hidden state after a layer, at every position. */
export interface SteeringVector {
  /** From 1. */
  readonly layer: number;
  readonly vector: Float32Array;
}

/** A vector that was made from pairs of texts. */
export interface SteeringConcept extends SteeringVector {
  readonly id: string;
  /** Of the model. */
  readonly layers: number;
}

/** Load a model, or find it loaded. */
export interface PrepareJob extends Device {
  readonly model: Model;
  /** Steers all passes of the job, on a network that was opened for it; left out: none. */
  readonly steering?: readonly SteeringVector[];
}

/** Finds how the hidden states of pairs of texts differ after a layer; null: the middle one. */
export interface SteeringConceptJob extends PrepareJob {
  readonly examples: readonly Readonly<Record<'positive' | 'negative', JobPrompt>>[];
  readonly layer: number | null;
}

/** A loaded model, as it is shown to people. */
export interface Preparation {
  readonly backend: ComputedBy;
  readonly threads: number;
  readonly reason: string;
}

/** How attention controls are applied. */
export type ControlOptions = Readonly<Pick<EmbedRequest, 'contextual_control_threshold' | 'control_log_additive'>>;

/** Inspects a folder before it is loaded. */
export interface InspectJob extends Pick<Model, 'name' | 'folder' | 'held'> {
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
  /** Sent with each request for a file. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Capabilities of a model by its folder's configuration and a graph. */
export interface Inspection
  extends Pick<Model, 'capabilities' | 'dtype' | 'contextTokens'>, Required<Pick<Model, 'weights' | 'files'>> {
  readonly tier: Tier;
  /** Why its graph is not rewritten; null where it is. */
  readonly reason: string | null;
  /** The kind of network, as `config.json` names it; '' where it does not. */
  readonly kind: string;
}

/** A checked prompt, as jobs carry it: spans in UTF-16 units, files as bytes. */
export interface JobPrompt {
  /** Its path in the request, such as `prompts[3]`; messages begin with it. */
  readonly path: string;
  readonly items: readonly JobPromptItem[];
}

/** One piece of a prompt. */
export type JobPromptItem = JobText | JobTokenIds | JobImage;

interface Located {
  /** Path of its text or file in the request; left out: by its place among the items. */
  readonly path?: string;
}

/** Well-formed Unicode. */
interface JobText extends Located {
  readonly type: 'text';
  readonly text: string;
  /** On spans inside the text. */
  readonly controls: readonly JobControl[];
}

/** Ids ≥ 0; which of them the model knows is the worker's to check. */
interface JobTokenIds extends Located {
  readonly type: 'token_ids';
  readonly ids: readonly number[];
  /** On indices inside `ids`. */
  readonly controls: readonly JobControl[];
}

/** Formats that an image may have. */
export type ImageFormat = 'PNG' | 'JPEG' | 'WebP';

/** An image file whose header was read: its format is known and it has no more pixels than are decoded. */
export interface JobImage extends Located {
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
export type Rectangle = Readonly<ImageControl['rect']>;
