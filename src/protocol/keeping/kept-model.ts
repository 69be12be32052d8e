/**
 * Models that the browser keeps in its private file system, below `KEPT_MODELS`: a folder for each, named by `entryName`. It
 * holds `ENTRIES.files`, a folder with the model's files, and once all of them are there and checked `ENTRIES.record`. While they are
 * fetched, `ENTRIES.plan` says what is to come and `ENTRIES.journal` what has come.
 */
export const KEPT_MODELS = 'lightwell-models';

/** Names in a model's folder. */
export const ENTRIES = { files: 'files', record: 'model.json', plan: 'plan.json', journal: 'journal' } as const;

/** Where a model came from. */
export interface HubOrigin {
  /** Address of the hub, without a slash at its end. */
  readonly hub: string;
  /** `owner/name` */
  readonly id: string;
  /** As it was asked for: a branch, a tag or a commit. */
  readonly revision: string;
  /** What the revision stood for. */
  readonly commit: string;
  /** Folder in the repository that holds the model; '' for all of it. */
  readonly subfolder: string;
  /** As its card has it; null where it has none. */
  readonly licence: string | null;
}

/** What is kept of a model, beside its files. */
export interface KeptModel {
  readonly name: string;
  /** Bytes of its files, by their paths in its folder. */
  readonly files: Readonly<Record<string, number>>;
  /** Null for a folder of this device. */
  readonly from: HubOrigin | null;
  /** Milliseconds since 1970. */
  readonly keptAt: number;
}

/** A file that is to be fetched. */
export interface PlannedFile {
  /** In the model's folder. */
  readonly path: string;
  readonly url: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal, as the hub has it for large files; null for small ones. */
  readonly sha256: string | null;
  /** What git names the content of a small file by: SHA-1 of a head and the content; null where the hub does not say. */
  readonly gitHash: string | null;
}

/** What is to be fetched for a model. */
export interface FetchPlan {
  /** Name of the model that it becomes. */
  readonly name: string;
  readonly from: HubOrigin;
  readonly files: readonly PlannedFile[];
}

/** Name of the entry that stands for a model or for a path: any text, without what a file system reads as something else. */
export function entryName(text: string): string {
  return encodeURIComponent(text).replace(/^\.+/, (dots) => dots.replaceAll('.', '%2E'));
}

/** The text that an entry's name stands for; undefined for a name that is not ours. */
export function textOfEntry(name: string): string | undefined {
  try {
    const text = decodeURIComponent(name);
    return entryName(text) === name ? text : undefined;
  } catch {
    return undefined;
  }
}
