/** Where the local server keeps the folders of `--models`, below the page's own address. */
export const LOCAL_MODELS = 'local-models/';

/** How the page learns that its server has such folders: the name of an entry in the header `Server-Timing`. */
export const LOCAL_MODELS_ANNOUNCEMENT = 'lightwell-local-models';

/** A folder in the hub's layout, as the list at `LOCAL_MODELS` has it. */
export interface LocalFolder {
  /** Its path below the folder of `--models`, such as `owner/name`; parts are joined by `/`. */
  readonly name: string;
  /** Where its files are, below `LOCAL_MODELS`, percent-encoded, ending in a slash; '' for the folder itself. */
  readonly path: string;
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
}
