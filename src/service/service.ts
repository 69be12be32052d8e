import type { Failure } from '../contract/failure.ts';
import type { SettingsChange } from '../contract/settings.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { HeldFiles, Model } from '../models/model.ts';
import type { BackendKind, Preparation } from '../protocol/model-job.ts';
import type { JobProgress } from '../protocol/messages.ts';
import type { ServiceSettingsStore } from './service-settings.ts';
import type { WorkerSource } from '../scheduler/spawn.ts';

/** Lightwell as one `fetch`. A client uses it as its connection. */
export interface Service {
  /** The global `fetch`, but this service responds: takes a path such as `/embed`, a URL with that path, or a request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Origin of the requests that it answers, such as `http://localhost:8000`. */
  readonly baseUrl: string;
  /** The bearer token that requests must carry. */
  readonly token: string;
  /** Makes a new token; the old one is refused from then on. */
  replaceToken(): string;
  /**
   * Resolves when the default model can answer and the models of `localModels` are known; rejects with the reason when the
   * default model cannot be loaded. It does not wait for a server that settings name.
   */
  readonly ready: Promise<void>;
  /** Loads the default model again if that has failed; `onModel` gets the result. */
  retry(): void;
  /** The user's settings; `set` throws an error that names the field it refuses. */
  readonly settings: ServiceSettingsStore;
  /**
   * Opens a model on the engine that settings name for it, whether or not it may be used yet, and checks it: names, digest,
   * self-test, numbers.
   *
   * @returns the numbers of the check
   * @throws {FailureError} with what differs, or why the engine does not answer
   */
  checkEngine(model: string): Promise<string>;
  /**
   * Lists the models of the OpenAI-compatible server that settings name.
   *
   * @returns their names; none where settings name no server
   * @throws {Error} with why they cannot be listed
   */
  connectUpstream(): Promise<readonly string[]>;
  /**
   * Loads a model on this device, or finds it loaded.
   *
   * @returns what computes its passes, and the figures by which that was chosen
   * @throws {FailureError} with why it cannot be loaded, or for an unknown name
   */
  deviceOf(model: string): Promise<Preparation>;
  readonly models: Catalogue;
  /**
   * Lists a folder in the hub's layout that the page holds, once for each kind of weights; it replaces one of the same name.
   *
   * @returns the default kind
   * @throws {RangeError} for the name of a model that is listed from the start
   * @throws {Error} if it cannot be inspected
   */
  addFolder(folder: { readonly name: string; readonly held: HeldFiles }): Promise<Model>;
  removeModel(name: string): void;
  /** Ends the workers. Running requests reject with `AbortError`, and so does every later one that needs a model. */
  dispose(): void;
}

/** Options of a service. Each has a default. */
export interface ServiceOptions {
  /** What the models' folder is relative to. Default: the page's own address. */
  readonly baseUrl?: string;
  /** Models in the Hugging Face layout, the default one first. Default: the models that ship with Lightwell. */
  readonly models?: readonly Model[];
  /** Address of the list of further models, such as those of the local server (`--models`), relative to `baseUrl`. Default: none. */
  readonly localModels?: string;
  /** Folder of the models that ship with Lightwell, ending in a slash. Default: `models/` at `baseUrl`. */
  readonly modelsUrl?: string;
  /**
   * Address of each worker's script on this origin, or a function that starts it. A script that is moved keeps its name and
   * takes those that it imports along, all in one folder. Default: the scripts of this build.
   * `silenceMs`: a busy worker that says nothing for at least so long, and ten times longer than it expected, is replaced.
   * Default: 60,000.
   */
  readonly workers?: {
    readonly inference?: WorkerSource;
    readonly documents?: WorkerSource;
    readonly silenceMs?: number;
  };
  /** Reads files of the models' folders for `GET /models/{model}/tokenizer`. Workers read them by themselves. Default: `fetch`. */
  readonly fetchFile?: typeof fetch;
  /** Folder with ONNX Runtime's WebAssembly and its loader, relative to `baseUrl`, ending in a slash. Default: beside the worker. */
  readonly wasmUrl?: string;
  /** Overrides the measured choice of device. */
  readonly backend?: BackendKind;
  /** Stores token and settings. Default: none, so both end with the page. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Default: the stored token, else a random one. */
  readonly token?: string;
  /** Called with a new token, after `replaceToken` here or in another tab with the same storage. */
  readonly onToken?: (token: string) => void;
  /** Changes, made at once; with `localModels` any name may be a model's. @throws {FailureError} as `settings.set` */
  readonly settings?: SettingsChange;
  /** Loads the default model at once. Default: true. With false `ready` resolves immediately. */
  readonly preload?: boolean;
  /** Called with the name of a model that a request uses, each time. */
  readonly onUse?: (name: string) => void;
  /** Called with the loading status of the default model, also after another one is chosen. */
  readonly onModel?: (status: ModelStatus) => void;
}

/** Loading status of the default model. */
export type ModelStatus = { readonly model: string } & (
  | { readonly kind: 'loading'; readonly progress: JobProgress | null }
  | { readonly kind: 'ready'; readonly preparation: Preparation }
  | { readonly kind: 'failed'; readonly failure: Failure }
);
