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
  /** Left out: its files are fetched from `folder`. */
  readonly held?: HeldFiles;
  /** Tells a folder from one that replaces it: the bytes of its files and the time of their last change, added up. Left out: it is not replaced. */
  readonly state?: number;
  /** Address of the OpenAI-compatible server that has it. Left out: it is loaded into the page. */
  readonly upstream?: string;
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

/** Weight types by the end of a graph's name. @source transformers.js 4.3.1, dtypes.js */
const ENDS: readonly (readonly [Model['dtype'], RegExp])[] = [
  ['q4f16', /_q4f16$/],
  ['q4', /_q4$/],
  ['fp16', /_fp16$/],
  ['q8', /_quantized$/],
  ['fp32', /^(?!.*_(int8|uint8|bnb4)$)/],
];

/** Bytes of the graphs of a weight type, with their data files; 0 where none are listed. @param files  bytes by path */
export function weightBytes(files: Readonly<Record<string, number>>, dtype: Model['dtype']): number {
  return Object.entries(files).reduce((sum, [path, bytes]) => sum + (dtypeOf(path) === dtype ? bytes : 0), 0);
}

/** Memory for the weights of a model, in bytes, about; undefined where its files are not known. */
export function neededBytes({ files, held, dtype }: Pick<Model, 'files' | 'held' | 'dtype'>): number | undefined {
  const sizes = held
    ? Object.entries(held).map(([path, { size }]) => [path, size] as const)
    : Object.entries(files ?? {}).map(([path, { bytes }]) => [path, bytes] as const);
  const bytes = weightBytes(Object.fromEntries(sizes), dtype);
  return bytes > 0 ? memoryOf(bytes) : undefined;
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

function dtypeOf(path: string): Model['dtype'] | undefined {
  const [, name] = /^onnx\/(.+?)\.onnx(_data.*|\.data.*)?$/.exec(path) ?? [];
  return name === undefined ? undefined : ENDS.find(([, end]) => end.test(name))?.[0];
}
