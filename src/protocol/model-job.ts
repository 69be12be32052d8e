import type { Capability, HeldFiles, Model, Tier } from '../models/model.ts';

/** What computes a model's passes. */
export type BackendKind = 'webgpu' | 'wasm';

/** What a model is to run on. */
export interface Device {
  /** Left out: measured. */
  readonly backend?: BackendKind;
  /** Folder with ONNX Runtime's WebAssembly and its loader, ending in a slash; left out: beside the worker. */
  readonly wasmUrl?: string;
}

/** Load a model, or find it loaded. */
export interface PrepareJob extends Device {
  readonly model: Model;
}

/** What was loaded, for people. */
export interface Preparation {
  readonly backend: BackendKind;
  readonly threads: number;
  readonly reason: string;
}

/** How attention controls are applied. */
export interface ControlOptions {
  /** Cosine similarity from which a control spreads to other tokens; null: explicit tokens only. */
  readonly contextualThreshold: number | null;
  /** true: ln(factor) is added to the scores; false: (score − row minimum) × factor. */
  readonly logAdditive: boolean;
}

/** Look at a folder before it is loaded: what it can be used for, or why not. */
export interface InspectJob {
  readonly name: string;
  /** As `Model.folder`. */
  readonly folder: string;
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
  /** As `Model.held`. */
  readonly held?: HeldFiles;
  /** Sent with each request for a file. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a folder's configuration and graph tell. */
export interface Inspection {
  readonly tier: Tier;
  /** Why it is not steered; null where it is. */
  readonly reason: string | null;
  readonly capabilities: readonly Capability[];
  readonly dtype: Model['dtype'];
  readonly contextTokens: number;
  /** What kind of network, as `config.json` names it; '' where it does not. */
  readonly kind: string;
}
