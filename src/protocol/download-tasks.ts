import type { HeldFiles, Model } from '../models/model.ts';
import type { Inspection } from './model-job.ts';

/** A model of a hub. */
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
  /** Of a user who may read the model; null for a public one. Never stored. */
  readonly token: string | null;
}

/** What a hub has of a model, before anything large is fetched. */
export interface HubFound {
  readonly plan: FetchPlan;
  readonly bytes: number;
  readonly dtype: Model['dtype'];
  /** Available weight types, and the bytes of all files with each. */
  readonly choices: readonly { readonly dtype: Model['dtype']; readonly bytes: number }[];
  readonly inspection: Inspection;
}

/** Progress of fetching a model. */
export interface FetchProgress {
  /** `waiting`: the hub or the network is not available; another attempt follows. */
  readonly phase: 'fetching' | 'waiting' | 'checking';
  readonly done: number;
  readonly total: number;
  /** The host sends no parts of files: an interrupted one is fetched again from its beginning. Left out: not known. */
  readonly comesWhole?: boolean;
  readonly files: readonly { readonly path: string; readonly done: number; readonly total: number }[];
}

/** Every task of the downloads worker. */
export interface DownloadTasks {
  look: { input: HubAddress; output: HubFound; progress: never };
  /** Fetches and stores a model, or what is missing of it. A cancelled task leaves what has come. */
  fetch: { input: { readonly plan: FetchPlan; readonly token: string | null }; output: null; progress: FetchProgress };
  /** Stores a folder of this device. A cancelled task leaves nothing. */
  keep: { input: { readonly name: string; readonly held: HeldFiles }; output: null; progress: FetchProgress };
}

/** Names of the tasks. */
export type DownloadTaskKind = keyof DownloadTasks;

type DownloadProblemKind =
  | 'address' // the input is not the address of a model
  | 'unreachable' // no answer, or none that the browser may read
  | 'token' // the hub wants a token, or refuses the given one
  | 'terms' // the token's owner has not accepted the model's terms
  | 'absent' // no such model, revision, folder or file
  | 'busy' // rate-limited on every retry
  | 'wrong' // not the file that the hub has listed
  | 'space' // the device, or the browser's quota, is full
  | 'other';

/** What went wrong; `detail` says what was expected, what came and where, in English. */
export interface DownloadProblem {
  readonly kind: DownloadProblemKind;
  readonly detail: string;
}

/**
 * Folder of stored models in the browser's private file system: a folder for each, named by `entryName`. It has
 * `ENTRIES.files`, a folder with the model's files, and once all are complete and checked `ENTRIES.record`. While they are
 * fetched, `ENTRIES.plan` lists what is to come and `ENTRIES.journal` what has come.
 */
export const STORED_MODELS_FOLDER = 'lightwell-models';

/** Names in a model's folder. */
export const ENTRIES = { files: 'files', record: 'model.json', plan: 'plan.json', journal: 'journal' } as const;

/** The source of a model. */
export interface HubOrigin {
  /** Address of the hub, without a slash at its end. */
  readonly hub: string;
  /** `owner/name` */
  readonly id: string;
  /** As requested: a branch, a tag or a commit. */
  readonly revision: string;
  readonly commit: string;
  /** Folder in the repository that holds the model; '' for all of it. */
  readonly subfolder: string;
  /** As in its card; null without one. */
  readonly licence: string | null;
}

/** The record of a stored model. */
export interface StoredModel {
  readonly name: string;
  /** Bytes of its files, by their paths in its folder. */
  readonly files: Readonly<Record<string, number>>;
  /** Null for a folder of this device. */
  readonly from: HubOrigin | null;
  /** Milliseconds since 1970. */
  readonly keptAt: number;
}

/** A file to be fetched. */
export interface PlannedFile {
  /** In the model's folder. */
  readonly path: string;
  readonly url: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal; null for small files, for which the hub has none. */
  readonly sha256: string | null;
  /** Git's hash of a small file: SHA-1 of a head and the content; null if the hub has none. */
  readonly gitHash: string | null;
}

/** The files to be fetched for a model. */
export interface FetchPlan {
  /** Name of the model that it becomes. */
  readonly name: string;
  readonly from: HubOrigin;
  readonly files: readonly PlannedFile[];
}

/** Name of the entry for any text, without characters that are special to file systems. */
export function entryName(text: string): string {
  return encodeURIComponent(text).replace(/^\.+/, (dots) => dots.replaceAll('.', '%2E'));
}

/** The text of an entry's name; undefined for a name that is not ours. */
export function textOfEntry(name: string): string | undefined {
  try {
    const text = decodeURIComponent(name);
    return entryName(text) === name ? text : undefined;
  } catch {
    return undefined;
  }
}
