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
