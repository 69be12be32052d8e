/**
 * The files of a build, listed for the page, which stores them in the browser's Cache storage, and for the service worker,
 * which answers with them. A tab gets files of one version of the list; two are never mixed.
 */
export interface SiteFiles {
  /** SHA-256 of all else in the list, in hexadecimal. */
  readonly version: string;
  /** Hash of the headers of stored answers: another build may have others. */
  readonly headers: string;
  /** By path below the page's folder. */
  readonly files: Readonly<Record<string, SiteFile>>;
}

/** Size in bytes, uncompressed, and SHA-256 in hexadecimal. */
export type SiteFile = readonly [bytes: number, sha256: string];

/** The list's own file, beside the page. It is fetched past the browser's cache. */
export const SITE_LIST = 'site-files.json';

/** The page to the service worker: the served version has changed. */
export const SITE_CHANGED = 'site-changed';

/** The one cache with the files of a site. @param home  path of the page's folder, ending in a slash */
export function cacheOf(home: string): string {
  return `lightwell:${home}`;
}

/** Address under which the list of the served version is stored. */
export function keyOfServed(home: string): string {
  return `${home}${SITE_LIST}?served`;
}

/** Address under which a file is stored: with its hash, so that it is valid for every version that lists it. */
export function keyOfFile(home: string, path: string, { files, headers }: SiteFiles): string {
  return `${home}${path}?${headers}-${files[path]?.[1]}`;
}

/** Some of a site's files: `app`, or the name of a model's folder. */
export interface OfflinePart {
  readonly name: string;
  readonly bytes: number;
  readonly cachedBytes: number;
}

/** Which files of the site are on the device. */
export interface OfflineFacts {
  readonly parts: readonly OfflinePart[];
  readonly isDownloading: boolean;
  /** Why the last attempt failed; null: it did not. */
  readonly problem: string | null;
  /** An older version is served from here: the page opens without a network, whatever of a newer one is missing. */
  readonly hasOlder: boolean;
  /** All files of a newer version are here; `update` serves it. */
  readonly isNewer: boolean;
}

/** Whether a value is a list; a host may answer with something else, such as a page. */
export function isSiteFiles(value: unknown): value is SiteFiles {
  if (typeof value !== 'object' || value === null) return false;
  const { version, headers, files } = value as Partial<Record<keyof SiteFiles, unknown>>;
  const isNamed = typeof version === 'string' && typeof headers === 'string';
  return isNamed && typeof files === 'object' && files !== null && Object.values(files).every(isSiteFile);
}

function isSiteFile(value: unknown): value is SiteFile {
  return Array.isArray(value) && typeof value[0] === 'number' && /^[0-9a-f]{64}$/.test(String(value[1]));
}
