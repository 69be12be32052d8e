/** A model: its name, its folder, and its capabilities. */
export interface Model {
  readonly name: string;
  /** Name and version, as `model_version` reports it. */
  readonly version: string;
  readonly description: string;
  /** Base URL of a folder in the Hugging Face hub layout, ending in a slash. */
  readonly folder: string;
  /** Suffix of the ONNX files: `onnx/model<suffix>.onnx`. */
  readonly dtype: 'fp32' | 'fp16' | 'q4' | 'q4f16' | 'q8';
  readonly contextTokens: number;
  readonly capabilities: readonly Capability[];
  /** How it is run. Left out: `steered`. */
  readonly tier?: Tier;
  /** Why its graph is not rewritten, for people. */
  readonly reason?: string;
  /** By paths in the folder; a download that differs is refused. Left out: not known, so optional files are requested, and nothing is checked. */
  readonly files?: Readonly<Record<string, FileFacts>>;
  /** For both modes of suppression, in order of their shares. Left out: not measured for this model. */
  readonly margins?: {
    readonly additive: readonly MarginConstants[];
    readonly multiplicative: readonly MarginConstants[];
    /** How they depend on the length. Left out: they do not. */
    readonly lengths?: MarginLengths;
  };
  /** Left out: not known, so the bytes of all its graphs count. */
  readonly weights?: Weights;
  /** Left out: its files are fetched from `folder`. */
  readonly held?: HeldFiles;
  /** Tells a folder from one that replaces it: the bytes of its files and the time of their last change, added up. Left out: it is not replaced. */
  readonly state?: number;
  /** Address of the OpenAI-compatible server that has it. Left out: it is loaded into the page. */
  readonly upstream?: string;
}

/** The weights of a network, as its graph has them. */
export interface Weights {
  /** `fp32` or `fp16`; of packed ones `q` and their bits, with `f16` where their scales have 16 bits. */
  readonly kind: string;
  /** Bytes of the graphs that are loaded, and of their data. */
  readonly fileBytes: number;
  /** Bytes as WebAssembly computes with them: in 32-bit floats, unless that takes too many. */
  readonly computedBytes: number;
}

/** Constants for the margins of estimated scores, measured by `npm run evaluate -- --only margins`. */
export interface MarginConstants {
  /** Share of the exact cost that the measured estimates took. */
  readonly share: number;
  /** Of scores for the whole target. */
  readonly whole: number;
  /** Of scores for one of its tokens. */
  readonly tokens: number;
}

/**
 * Errors of estimates are smaller in longer prompts, up to a length: constants are multiplied by (`tokens` / length)^`exponent`.
 * Measured by `npm run evaluate -- --only margin-lengths`.
 */
export interface MarginLengths {
  /** In tokens of prompt and target; shorter prompts were not measured, and count as this long. */
  readonly from: number;
  /** Errors do not shrink beyond this length: longer prompts count as this long. */
  readonly to: number;
  /** The length at which the constants were measured. */
  readonly tokens: number;
  readonly exponent: number;
}

/**
 * Files that the page has itself, by their paths in the folder: a dropped folder, or one that is stored on the device. All files
 * of a model are held, or none; `folder` then only names it. Blobs are sent to workers without being copied.
 */
export type HeldFiles = Readonly<Record<string, Blob>>;

/**
 * How a network is run:
 *
 * - `steered`: rewritten, with attention controls, explanations and the states of every layer; concepts have nothing to do with the name
 * - `as_exported`: unchanged, without controls; where it can `complete`, by transformers.js. Models of a server have this tier too
 * - `refused`: not at all
 */
export type Tier = 'steered' | 'as_exported' | 'refused';

/** The expected size and hash of a file. */
export interface FileFacts {
  readonly bytes: number;
  /** In hexadecimal; left out where it is not known. */
  readonly sha256?: string;
}

/**
 * A model that can `explain` can `complete` too; one that runs as exported may only `complete`. Of a model on a server only the
 * `likelihood` of texts and what it writes are known; it is explained by the former.
 */
export type Capability = 'likelihood' | 'embed' | 'explain' | 'complete' | 'semantic_embed' | 'qa' | 'images' | 'chat';

/**
 * Memory of a network in ONNX Runtime's heap, as a share of its weights: operators copy some weights into another layout, and the
 * heap grows in large steps. Measured by `npm run bench -- memory`; a larger network needed 1.12.
 */
const HEAP_SHARE = 1.57;

/** Memory for the weights of a model, in bytes, about; undefined where neither they nor its files are known. */
export function neededBytes({ weights, files, held }: Pick<Model, 'weights' | 'files' | 'held'>): number | undefined {
  const graphs = Object.entries<Blob | FileFacts>(held ?? files ?? {}).filter(([path]) => path.startsWith('onnx/'));
  const fileBytes = graphs.reduce((sum, [, file]) => sum + ('size' in file ? file.size : file.bytes), 0);
  return memoryOf(weights?.computedBytes ?? fileBytes) || undefined;
}

/** Two models of more than this are open at once only while both are in use. */
const LARGE_BYTES = 200e6;

/** @param memory  for a model's weights, in bytes; undefined where it is not known, which counts as small */
export function isLarge(memory = 0): boolean {
  return memory > LARGE_BYTES;
}

/** Memory for weights of this size, in bytes, about. */
export function memoryOf(weights: number): number {
  return HEAP_SHARE * weights;
}
