import type { HeldFiles, Model } from '../../models/model.ts';
import type { Inspection } from '../model-job.ts';
import type { FetchPlan } from './kept-model.ts';

/** A model of a hub, as somebody asks for it. */
export interface HubAddress {
  /** Address of the hub, without a slash at its end. */
  readonly hub: string;
  /** `owner/name` */
  readonly id: string;
  readonly revision: string;
  /** Folder in the repository that holds the model; '' for all of it. */
  readonly subfolder: string;
  /** Null: chosen by size. */
  readonly dtype: Model['dtype'] | null;
  /** Of somebody who may read the model; null where anybody may. It is never kept. */
  readonly token: string | null;
}

/** What a hub has, before anything large of it is fetched. */
export interface HubFound {
  readonly plan: FetchPlan;
  readonly bytes: number;
  readonly dtype: Model['dtype'];
  /** Weight types that are there, and the bytes of all files with each. */
  readonly choices: readonly { readonly dtype: Model['dtype']; readonly bytes: number }[];
  /** What the model could be used for, from its configuration and its graph. */
  readonly inspection: Inspection;
}

/** How far a model has come. */
export interface FetchProgress {
  /** `waiting`: the hub or the network lets nothing through for a while; it is tried again. */
  readonly phase: 'fetching' | 'waiting' | 'checking';
  readonly done: number;
  readonly total: number;
  /** The host sends no parts of files: one that is broken off comes from its beginning again. Left out: not known. */
  readonly comesWhole?: boolean;
  readonly files: readonly { readonly path: string; readonly done: number; readonly total: number }[];
}

/** Every task of the keeping worker. */
export interface KeepingTasks {
  /** Asks a hub for a model. */
  look: { input: HubAddress; output: HubFound };
  /** Fetches a model, or what is missing of it, and keeps it. A task that is cancelled leaves what has come. */
  fetch: { input: { readonly plan: FetchPlan; readonly token: string | null }; output: null };
  /** Keeps a folder of this device. A task that is cancelled leaves nothing. */
  keep: { input: { readonly name: string; readonly held: HeldFiles }; output: null };
}

/** Names of the tasks. */
export type KeepingKind = keyof KeepingTasks;

/** Page to worker. */
export type ToKeeping =
  | { [K in KeepingKind]: { type: 'run'; id: number; kind: K; input: KeepingTasks[K]['input'] } }[KeepingKind]
  | { type: 'cancel'; id: number };

/**
 * What can go wrong:
 *
 * - `address`: no model can be meant by what was typed
 * - `unreachable`: no answer, or none that the browser lets be read
 * - `token`: the hub wants a token, or refuses the one it got
 * - `terms`: whoever the token is of has not accepted the model's terms
 * - `absent`: there is no such model, revision, folder or file
 * - `busy`: the hub asks for patience, and the patience of several attempts was not enough
 * - `wrong`: what came is not what the hub says it has
 * - `space`: the device, or the browser's share of it, is full
 * - `other`: anything else
 */
export type KeepingProblemKind =
  | 'address'
  | 'unreachable'
  | 'token'
  | 'terms'
  | 'absent'
  | 'busy'
  | 'wrong'
  | 'space'
  | 'other';

/** What went wrong; `detail` says what was expected, what came and where, in English. */
export interface KeepingProblem {
  readonly kind: KeepingProblemKind;
  readonly detail: string;
}

/** Worker to page. Exactly one `done` or `failed` answers each `run`; nobody reads that of a cancelled one. */
export type FromKeeping =
  | { type: 'progress'; id: number; progress: FetchProgress }
  | { type: 'done'; id: number; output: KeepingTasks[KeepingKind]['output'] }
  | { type: 'failed'; id: number; problem: KeepingProblem };
