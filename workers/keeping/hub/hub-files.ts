import type { HubAddress } from '../../../src/protocol/keeping/keeping-tasks.ts';
import { ProblemError } from '../problem.ts';
import { askHub, type HubRequestOptions } from './hub-request.ts';

/** A file of a repository. */
export interface HubFile {
  /** In the repository. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly gitHash: string | null;
}

/** A repository at one commit. */
export interface HubRepository {
  readonly commit: string;
  readonly licence: string | null;
  readonly files: readonly HubFile[];
}

/** Pages of a list of files that are read at most: a thousand files each. */
const MOST_PAGES = 20;

/**
 * What a repository has. @source the hub's API: `/api/models/{id}/revision/{revision}` and `/api/models/{id}/tree/{revision}`
 *
 * @throws {ProblemError} as `askHub`; `wrong` for an answer that is none of a hub, or a list without an end
 */
export async function readRepository(
  { hub, id, revision, subfolder }: HubAddress,
  options: HubRequestOptions,
): Promise<HubRepository> {
  const base = `${hub}/api/models/${id}`;
  const about = await readJson(`${base}/revision/${encodeURIComponent(revision)}`, options);
  const commit = textOf(about, 'sha');
  if (commit === null || !/^[\w.-]+$/.test(commit))
    throw new ProblemError('wrong', `${base}: expected a commit in the field sha, got ${shown(about)}`);
  const folder = subfolder === '' ? '' : `/${encodedPath(subfolder)}`;
  const files: HubFile[] = [];
  let next: string | null = `${base}/tree/${commit}${folder}?recursive=true`;
  for (let page = 0; next !== null && page < MOST_PAGES; page++) {
    const response = await askHub(next, options);
    const list = await jsonOf(next, response);
    if (!Array.isArray(list)) throw new ProblemError('wrong', `${base}: expected a list of files, got ${shown(list)}`);
    files.push(...list.flatMap(fileOf));
    next = nextPage(response, hub);
  }
  if (next !== null)
    throw new ProblemError('wrong', `${base}: expected at most ${MOST_PAGES} pages of files, got more`);
  return { commit, licence: licenceOf(about), files };
}

/** Each part of a path encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

async function readJson(url: string, options: HubRequestOptions): Promise<object> {
  const value = await jsonOf(url, await askHub(url, options));
  if (typeof value === 'object' && value !== null) return value;
  throw new ProblemError('wrong', `${url}: expected an object, got ${shown(value)}`);
}

async function jsonOf(url: string, response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    const what = /^\s*</.test(text) ? 'an HTML page' : JSON.stringify(text.slice(0, 60));
    throw new ProblemError('wrong', `${url}: expected JSON of a hub, got ${what}`);
  }
}

function fileOf(entry: unknown): HubFile[] {
  if (typeof entry !== 'object' || entry === null || textOf(entry, 'type') !== 'file') return [];
  const path = textOf(entry, 'path');
  const bytes: unknown = Reflect.get(entry, 'size');
  if (path === null || typeof bytes !== 'number' || path.split('/').includes('..')) return [];
  const large: unknown = Reflect.get(entry, 'lfs');
  const sha256 = typeof large === 'object' && large !== null ? textOf(large, 'oid') : null;
  const isLarge = sha256 !== null && /^[0-9a-f]{64}$/.test(sha256);
  return [{ path, bytes, sha256: isLarge ? sha256 : null, gitHash: isLarge ? null : gitHashOf(entry) }];
}

function gitHashOf(entry: object): string | null {
  const hash = textOf(entry, 'oid');
  return hash !== null && /^[0-9a-f]{40}$/.test(hash) ? hash : null;
}

/** The page of the list behind this one, where the hub says that there is one and it is its own. */
function nextPage({ headers }: Response, hub: string): string | null {
  const address = /<([^>]+)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  return address?.startsWith(`${hub}/`) === true ? address : null;
}

function licenceOf(about: object): string | null {
  const card: unknown = Reflect.get(about, 'cardData');
  const tags: unknown = Reflect.get(about, 'tags');
  const named =
    typeof card === 'object' && card !== null ? (textOf(card, 'license_name') ?? textOf(card, 'license')) : null;
  const tag: unknown = Array.isArray(tags) ? tags.find((each) => String(each).startsWith('license:')) : undefined;
  return named ?? (tag === undefined ? null : String(tag).slice('license:'.length));
}

function textOf(value: object, name: string): string | null {
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
