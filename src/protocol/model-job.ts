import type { Capability, HeldFiles, Model, Tier } from '../models/model.ts';

/** What computes a model's passes in the page. */
export type BackendKind = 'webgpu' | 'wasm';

/** What computes a model's passes: the page, or an engine elsewhere. */
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

/** What a model is to run on. */
export interface Device {
  /** Left out: measured. */
  readonly backend?: BackendKind;
  /** Where the passes of the network run instead; everything else of the model stays in the page. */
  readonly remote?: RemoteEngine;
  /** Folder with ONNX Runtime's WebAssembly and its loader, ending in a slash; left out: beside the worker. */
  readonly wasmUrl?: string;
  /** WebAssembly threads; left out: as many as the page can have, up to four. */
  readonly threads?: ChosenThreads;
}

/** A number of WebAssembly threads that was chosen. A page without threads, and a model that runs as exported, leave it aside. */
export interface ChosenThreads {
  readonly count: number;
  /** In words that are shown. */
  readonly why: string;
}

/** Load a model, or find it loaded. */
export interface PrepareJob extends Device {
  readonly model: Model;
}

/** What was loaded, for people. */
export interface Preparation {
  readonly backend: ComputedBy;
  readonly threads: number;
  readonly reason: string;
}

/** What other numbers of threads are worth, beside those that a model runs on. */
export interface ThreadFigures {
  /** Threads that it runs on. */
  readonly threads: number;
  /** For each other number: how many times as fast its passes were, the median of rounds by turns. */
  readonly others: readonly { readonly threads: number; readonly speed: number }[];
  /** Why nothing was measured; null where something was. */
  readonly skipped: string | null;
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
