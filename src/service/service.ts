import type { Failure } from '../contract/failure.ts';
import type { SettingsChange } from '../contract/settings.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import type { BackendKind, Preparation } from '../protocol/model-job.ts';
import type { JobProgress } from '../protocol/progress.ts';
import type { SettingsKeeper } from './settings-keeper.ts';
import type { WorkerSource } from '../scheduler/spawn.ts';

/** The whole of Lightwell behind one `fetch`. A client takes it as its connection. */
export interface Service {
  /** As the global `fetch`, but answered here: a path such as `/embed`, a URL whose path is one, or a request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Origin of the requests that it answers, such as `http://localhost:8000`. */
  readonly baseUrl: string;
  /** The bearer token that requests must carry. */
  readonly token: string;
  /** Makes a new token; the old one is refused from then on. */
  replaceToken(): string;
  /** Resolves when the default model can answer; rejects with the reason when it cannot be loaded. */
  readonly ready: Promise<void>;
  /** What a user may set about the answers; `set` throws an error that names the field it refuses. */
  readonly settings: SettingsKeeper;
  /** The models that requests may name. */
  readonly models: Catalogue;
  /** Ends the workers. Requests under way are rejected with `AbortError`, and so is every later one that needs a model. */
  dispose(): void;
}

/** What a service is made of; everything has a default. */
export interface ServiceOptions {
  /** What the models' folder is relative to; left out: the page's own address. */
  readonly baseUrl?: string;
  /** Models in the hub's layout, the default one first; left out: those that ship with Lightwell. */
  readonly models?: readonly Model[];
  /** Folder of the models that ship with Lightwell, ending in a slash; left out: `models/` at `baseUrl`. */
  readonly modelsUrl?: string;
  /** Address of a worker's script on this origin, or what starts one; left out: the ones built beside this script. */
  readonly workers?: { readonly inference?: WorkerSource; readonly documents?: WorkerSource };
  /** Folder with ONNX Runtime's WebAssembly and its loader, ending in a slash; left out: beside the worker. */
  readonly wasmUrl?: string;
  /** Overrides the measured choice of device. */
  readonly backend?: BackendKind;
  /** Keeps token and settings; left out: nothing outlives the page. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Left out: the stored token, else a random one. */
  readonly token?: string;
  /** Changes of the settings, made at once. @throws {FailureError} as `settings.set` does */
  readonly settings?: SettingsChange;
  /** Loads the default model at once; left out: true. With false `ready` resolves immediately. */
  readonly preload?: boolean;
  /** Hears how the default model comes along, again after another one was chosen. */
  readonly onModel?: (status: ModelStatus) => void;
}

/** How far the default model has come. */
export type ModelStatus = { readonly model: string } & (
  | { readonly kind: 'loading'; readonly progress: JobProgress | null }
  | { readonly kind: 'ready'; readonly preparation: Preparation }
  | { readonly kind: 'failed'; readonly failure: Failure }
);
