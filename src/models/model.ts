/** A model that can be asked for by name: where its folder is and what it can do. */
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
  /** Why it is not steered, for people. */
  readonly reason?: string;
  /**
   * Its files, by their paths in the folder; a download that differs is refused. Left out: not known, so that files which a
   * folder need not have are asked for, and nothing is checked.
   */
  readonly files?: Readonly<Record<string, FileFacts>>;
  /** For both ways to suppress, in order of their shares. Left out: not measured for this model. */
  readonly margins?: {
    readonly additive: readonly MarginConstants[];
    readonly multiplicative: readonly MarginConstants[];
    /** How they change with the length. Left out: they do not. */
    readonly lengths?: MarginLengths;
  };
  /** Left out: its files are fetched from `folder`. */
  readonly held?: HeldFiles;
}

/** What makes margins of estimated scores: measured by `npm run evaluate -- --only margins`. */
export interface MarginConstants {
  /** Share of the exact cost that was spent on estimates when this was measured. */
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
  /** In tokens of prompt and target; shorter prompts, of which none was measured, count as this long. */
  readonly from: number;
  /** From here on errors are as large: longer prompts count as this long. */
  readonly to: number;
  /** The length at which the constants hold as they are. */
  readonly tokens: number;
  readonly exponent: number;
}

/**
 * Files that the page holds itself, by their paths in the folder: a folder that somebody dropped, or one that is kept on the
 * device. All of a model are held, or none; `folder` then only names it. Blobs cross to workers without being copied.
 */
export type HeldFiles = Readonly<Record<string, Blob>>;

/**
 * How a network is run:
 *
 * - `steered`: rewritten, so that attention controls, explanations and the states of every layer are there
 * - `as_exported`: unchanged, without controls; where it can `complete`, by transformers.js
 * - `refused`: not at all
 */
export type Tier = 'steered' | 'as_exported' | 'refused';

/** What a file must be. */
export interface FileFacts {
  readonly bytes: number;
  /** In hexadecimal; left out where nothing vouches for the content. */
  readonly sha256?: string;
}

/** What a model can be used for. One that can `explain` can `complete` too; one that runs as exported may write and do no more. */
export type Capability = 'embed' | 'explain' | 'complete' | 'semantic_embed' | 'qa' | 'images' | 'chat';
