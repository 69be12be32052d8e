import { FailureError, messageOf } from '../../src/contract/failure.ts';
import { shown } from '../../src/contract/shown.ts';
import type {
  DownloadProblem,
  FetchPlan,
  HubAddress,
  HubFound,
  PlannedFile,
} from '../../src/protocol/download-tasks.ts';
import type { Model } from '../../src/models/model.ts';
import { DTYPES, graphPath, graphsIn, isPartOf } from '../engine/loading/model-files.ts';

/** A problem that the page shows. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly kind: DownloadProblem['kind'];
  /** Milliseconds that a busy hub asks to wait; null where it does not say. */
  readonly waitMs: number | null;

  constructor(kind: DownloadProblem['kind'], detail: string, waitMs: number | null = null) {
    super(detail);
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

/** The problem that the page shows for any error. */
export function problemFrom(error: unknown): DownloadProblem {
  if (error instanceof ProblemError) return { kind: error.kind, detail: error.message };
  if (error instanceof FailureError) return { kind: 'wrong', detail: error.message };
  const detail = messageOf(error);
  return { kind: error instanceof DOMException && error.name === 'QuotaExceededError' ? 'space' : 'other', detail };
}

interface HubRequestOptions {
  readonly token: string | null;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request to a hub.
 *
 * @returns  a response with a status of success
 * @throws {ProblemError} `unreachable`, `token`, `terms`, `absent`, `busy` or `other`, naming the address
 * @throws {DOMException} AbortError
 * @source The hub's statuses: 401 for a missing or wrong token and for models that are not there, 403 for terms that are not accepted
 */
export async function requestHub(url: string, { token, signal, headers = {} }: HubRequestOptions): Promise<Response> {
  const response = await reach(url, { signal, headers: { ...headers, ...authorisation(token) } });
  if (response.ok) return response;
  await response.body?.cancel();
  throw refusal(response, withoutQuery(url), token);
}

function authorisation(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store', credentials: 'omit' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const cause = messageOf(error);
    throw new ProblemError('unreachable', `${withoutQuery(url)} could not be fetched: ${cause}`);
  }
}

function refusal({ status, statusText, headers }: Response, url: string, token: string | null): ProblemError {
  const message = headers.get('X-Error-Message');
  const detail = `${url} answered ${status} ${statusText}`.trimEnd() + (message === null ? '' : `: ${message}`);
  if (status === 401)
    return new ProblemError('token', token === null ? detail : `${detail}; the token was not accepted`);
  if (status === 403) return new ProblemError('terms', detail);
  if (status === 404) return new ProblemError('absent', detail);
  if (status === 429 || status >= 500) return new ProblemError('busy', detail, waitOf(headers));
  return new ProblemError('other', detail);
}

/** @source RFC 9110, section 10.2.3: seconds; a date is left to the usual wait */
function waitOf(headers: Headers): number | null {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

/** A URL for messages: after a redirect its query carries a signature, which is secret. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/** A file of a repository, by its path there. */
type HubFile = Omit<PlannedFile, 'url'>;

interface HubRepository {
  readonly commit: string;
  readonly licence: string | null;
  readonly files: readonly HubFile[];
}

/** Pages of a list of files, a thousand files each. */
const MAX_PAGES = 20;

/**
 * Lists the files of a repository.
 *
 * @throws {ProblemError} as `requestHub`; `wrong` for a response that is not a hub's, or for more than `MAX_PAGES`
 * @source the hub's API: `/api/models/{id}/revision/{revision}` and `/api/models/{id}/tree/{revision}`
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
  for (let page = 0; next !== null && page < MAX_PAGES; page++) {
    const response = await requestHub(next, options);
    const list = await jsonOf(next, response);
    if (!Array.isArray(list)) throw new ProblemError('wrong', `${base}: expected a list of files, got ${shown(list)}`);
    files.push(...list.flatMap(fileOf));
    next = nextPage(response, hub);
  }
  if (next !== null) throw new ProblemError('wrong', `${base}: expected at most ${MAX_PAGES} pages of files, got more`);
  return { commit, licence: licenceOf(about), files };
}

/** Each part of a path encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

async function readJson(url: string, options: HubRequestOptions): Promise<object> {
  const value = await jsonOf(url, await requestHub(url, options));
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

/** The URL of the list's next page, where the hub names one of its own. */
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

/** `owner/name`, of characters that are not special in a URL. */
const ID = /^[\w.-]+\/[\w.-]+$/;

/** The files of a model, and the inspection of its configuration and graph, without weights. @throws {ProblemError} */
export async function findModel(address: HubAddress, signal: AbortSignal): Promise<HubFound> {
  if (!ID.test(address.id) || /(^|\/)\.\.?(\/|$)/.test(`${address.id}/${address.subfolder}`))
    throw new ProblemError('address', `expected owner/name, got "${address.id}"`);
  const { token } = address;
  const repository = await readRepository(address, { token, signal });
  const found = planModel(address, repository);
  const { name, files } = found.plan;
  const { inspect } = await import('../engine/loading/inspect-folder.ts'); // with the rewriter, which no download needs
  const [inspection] = await inspect({
    name,
    folder: folderAt(address, repository.commit),
    headers: authorisation(token),
    files: Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])),
  });
  signal.throwIfAborted();
  return { ...found, inspection };
}

/** Files besides the graphs that a model may need: configurations, tokenizer, pooling, card and licence. */
const SMALL_FILE =
  /^([\w.-]+\.(json|txt|md|jinja|model)|(?:licence|license)[\w.-]*|\d_\w+\/[\w.-]+\.(json|safetensors))$/i;

/** Exact weights are chosen by default up to this size. */
const EXACT_BYTES = 200e6;

/** The order of preference where exact weights are larger. */
const SMALLER = ['q4', 'fp16', 'q4f16', 'fp32', 'q8'] as const satisfies readonly Model['dtype'][];

/** The files to fetch of a repository, in the requested weight type or the one that suits the size. @throws {ProblemError} `absent` */
export function planModel(address: HubAddress, repository: HubRepository): Omit<HubFound, 'inspection'> {
  const { hub, id, revision, subfolder } = address;
  const { commit, licence } = repository;
  const files = filesBelow(subfolder, repository.files);
  const choices = DTYPES.flatMap((dtype) => {
    const wanted = filesOf(dtype, files);
    return wanted === null ? [] : [{ dtype, bytes: bytesOf(wanted) }];
  });
  const dtype = address.dtype ?? preferred(choices);
  const wanted = dtype === undefined ? null : filesOf(dtype, files);
  if (wanted === null || dtype === undefined) throw withoutGraph(address, choices);
  const plan: FetchPlan = {
    name: nameOf(address, dtype, choices),
    from: { hub, id, revision, subfolder, commit, licence },
    files: wanted.map((file) => ({ ...file, url: folderAt(address, commit) + encodedPath(file.path) })),
  };
  return { plan, dtype, choices, bytes: bytesOf(wanted) };
}

function folderAt({ hub, id, subfolder }: HubAddress, commit: string): string {
  return `${hub}/${id}/resolve/${commit}/${subfolder === '' ? '' : `${encodedPath(subfolder)}/`}`;
}

function filesBelow(subfolder: string, files: readonly HubFile[]): readonly HubFile[] {
  const prefix = subfolder === '' ? '' : `${subfolder}/`;
  const below = files.filter(({ path }) => path.startsWith(prefix));
  return below.map((file) => ({ ...file, path: file.path.slice(prefix.length) }));
}

/** All files of a model with these weights; null where its graph is missing. */
function filesOf(dtype: Model['dtype'], files: readonly HubFile[]): readonly HubFile[] | null {
  const graphs = graphsIn(Object.fromEntries(files.map((file) => [file.path, file])), dtype);
  return graphs.length === 0 ? null : files.filter(({ path }) => isPartOf(graphs, path) || SMALL_FILE.test(path));
}

function preferred(choices: HubFound['choices']): Model['dtype'] | undefined {
  const exact = choices.find(({ dtype, bytes }) => dtype === 'fp32' && bytes <= EXACT_BYTES);
  return exact?.dtype ?? SMALLER.find((each) => choices.some(({ dtype }) => dtype === each));
}

/** The hub's name, then what differs from the default, so that both can be stored; weights as in names of found models. */
function nameOf({ id, subfolder, revision }: HubAddress, dtype: Model['dtype'], choices: HubFound['choices']): string {
  const folder = subfolder === '' ? '' : `/${subfolder}`;
  const at = revision === 'main' ? '' : `@${revision}`;
  return `${id}${folder}${at}${dtype === preferred(choices) ? '' : `:${dtype}`}`;
}

function withoutGraph({ id, subfolder, dtype }: HubAddress, choices: HubFound['choices']): ProblemError {
  const where = subfolder === '' ? id : `${id}/${subfolder}`;
  const got = choices.length === 0 ? 'none of any type' : choices.map((choice) => choice.dtype).join(', ');
  const expected = dtype === null ? 'onnx/model.onnx, or one of another weight type' : graphPath('model', dtype);
  return new ProblemError('absent', `${where}: expected ${expected}, got ${got}`);
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
