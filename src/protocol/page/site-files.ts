/**
 * The files of a build, as the build lists them for the page, which keeps them in the browser's Cache storage, and for the
 * service worker, which answers with them. One version of the list is what a tab is served; two are never mixed.
 */
export interface SiteFiles {
  /** SHA-256 of all else in the list, in hexadecimal. */
  readonly version: string;
  /** Names the headers of answers with kept files: another build may have others. */
  readonly headers: string;
  /** By path below the page's folder. */
  readonly files: Readonly<Record<string, SiteFile>>;
}

/** Size in bytes, uncompressed, and SHA-256 in hexadecimal. */
export type SiteFile = readonly [bytes: number, sha256: string];

/** The list's own file, beside the page. It is asked for past the browser's cache. */
export const SITE_LIST = 'site-files.json';

/** Path of the page itself in the list. */
export const SITE_PAGE = 'index.html';

/** The page to the service worker: what it serves has changed, look again. */
export const SITE_CHANGED = 'site-changed';

/**
 * Name of the one cache with all kept files of a site. An origin may have several sites.
 *
 * @param home  path of the page's folder, ending in a slash
 */
export function cacheOf(home: string): string {
  return `lightwell:${home}`;
}

/** Address under which the list of the version that is served is kept. */
export function keyOfServed(home: string): string {
  return `${home}${SITE_LIST}?served`;
}

/** Address under which a file is kept: it names the content, so that what is there is right, whichever version put it there. */
export function keyOfFile(home: string, path: string, { files, headers }: SiteFiles): string {
  return `${home}${path}?${headers}-${files[path]?.[1]}`;
}

/** Whether a file belongs to a model; without one of those the page starts all the same. */
export function isOfModel(path: string): boolean {
  return path.startsWith('models/');
}

/** Whether a value has the form of a list: what a host sends in its place, such as a page, has not. */
export function isSiteFiles(value: unknown): value is SiteFiles {
  if (typeof value !== 'object' || value === null) return false;
  const { version, headers, files } = value as Partial<Record<keyof SiteFiles, unknown>>;
  const isNamed = typeof version === 'string' && typeof headers === 'string';
  return isNamed && typeof files === 'object' && files !== null && Object.values(files).every(isSiteFile);
}

function isSiteFile(value: unknown): value is SiteFile {
  return Array.isArray(value) && typeof value[0] === 'number' && /^[0-9a-f]{64}$/.test(String(value[1]));
}
