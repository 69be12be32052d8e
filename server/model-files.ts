import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { hubPath, isModelFile } from '../src/contract/wire/model-folder.ts';
import { readdir, realpath, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { basename, extname, join, sep } from 'node:path';
import { LOCAL_MODELS_PATH, type LocalFolder } from '../src/contract/wire/engine.ts';
import { PAGE_HEADERS } from '../src/protocol/page/headers.ts';
import { isFileRequest, refuseRequest } from './origins.ts';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

const PREFIX = `/${LOCAL_MODELS_PATH}`;
const TYPES: Readonly<Record<string, string>> = {
  '.jinja': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Whether a request is for a model that `--models` names. */
export function isLocalModel(url: string): boolean {
  return url.startsWith(PREFIX);
}

/**
 * A request listener for the models below `root`: their list at `/local-models/`, and their files. Only files of the list are
 * sent: the path of a request is never joined to another.
 *
 * @param root  absolute path of a folder
 */
export function modelFiles(root: string): RequestListener {
  let latest: Promise<FoundModels> | undefined;
  const digestOf = createDigests();
  return (request, response) => {
    response.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    if (!isFileRequest(request, response)) return;
    const path = pathOf(request.url ?? '');
    if (path === '' || latest === undefined) latest = findModels(root);
    void latest
      .then((found) =>
        path === '' ? sendList(response, found) : sendFile(request, response, path, found.files.get(path), digestOf),
      )
      .catch((error: unknown) => {
        latest = undefined;
        if (response.headersSent) return void response.destroy();
        refuseRequest(
          response,
          500,
          `${root} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
  };
}

/** Below `/local-models/`, decoded once; `/`, which no file has, when it cannot be decoded. */
function pathOf(url: string): string {
  const [path = ''] = url.slice(PREFIX.length).split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return '/';
  }
}

function sendList(response: ServerResponse, { folders }: FoundModels): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(folders));
}

/** @param path  absolute; undefined for a file that the list does not have */
async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  path: string | undefined,
  digestOf: (path: string, etag: string) => Promise<string>,
): Promise<void> {
  const found = path === undefined ? undefined : await statUnlinked(path);
  if (path === undefined || !found?.isFile()) return refuseRequest(response, 404, 'Not found');
  const etag = `"${found.size.toString(16)}-${Math.round(found.mtimeMs).toString(16)}"`;
  const headers = { 'Cache-Control': 'no-cache', ETag: etag, 'Accept-Ranges': 'bytes' };
  response.setHeaders(new Map(Object.entries(headers)));
  response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream');
  if (request.method === 'HEAD' && wantsDigest(request.headers))
    response.setHeader('Repr-Digest', await digestOf(path, etag));
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  sendPart(request, response, path, found.size, etag);
}

/** As `stat`; undefined for a path that leads elsewhere: a folder or file may have become a link since it was listed. */
async function statUnlinked(path: string): Promise<Stats | undefined> {
  const real = await realpath(path).catch(() => undefined);
  return real === path ? stat(path).catch(() => undefined) : undefined;
}

function sendPart(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  path: string,
  size: number,
  etag: string,
): void {
  const mayBePart = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = mayBePart ? rangeOf(headers.range, size) : 'all';
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${size}`);
    return refuseRequest(response, 416, 'The file has no such bytes');
  }
  const { start, end } = range === 'all' ? { start: 0, end: size } : range;
  if (range !== 'all') response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  response.writeHead(range === 'all' ? 200 : 206, { 'Content-Length': end - start });
  if (method === 'HEAD' || end === start) return void response.end();
  const file = createReadStream(path, { start, end: end - 1 });
  file.once('error', (error) => response.destroy(error));
  response.once('close', () => file.destroy());
  file.pipe(response);
}

/** The models below a folder. */
export interface FoundModels {
  readonly folders: readonly LocalFolder[];
  /** Absolute path of each file that may be sent, by its path below `local-models/` as it is, not percent-encoded. */
  readonly files: ReadonlyMap<string, string>;
}

/** Levels below the folder of `--models` that are searched for models, and levels of a model's own folder. */
const DEPTH = { folders: 8, files: 3 } as const;

/** A folder with more entries than this is not a model. */
const MAX_FILES = 2000;

interface Entry {
  readonly name: string;
  /** Without links. */
  readonly path: string;
  /** undefined for a folder. */
  readonly bytes: number | undefined;
  /** Of a file, milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Finds every folder in the hub's layout below `root`: one with a `config.json`. Folders inside it belong to it. Links are
 * followed within `root`, as in the hub's cache; hidden folders are skipped.
 *
 * @param root  absolute path of a folder; it may be a model itself
 * @throws {Error} of the system call, where `root` cannot be read
 */
export async function findModels(root: string): Promise<FoundModels> {
  const top = await realpath(root);
  const folders: LocalFolder[] = [];
  const files = new Map<string, string>();
  const seen = new Set<string>();
  const visit = async (path: string, parts: readonly string[]): Promise<void> => {
    if (seen.has(path) || parts.length > DEPTH.folders) return;
    seen.add(path);
    const entries = await entriesOf(path, top);
    if (!entries.some(({ name, bytes }) => name === 'config.json' && bytes !== undefined)) {
      for (const { name, path: inner, bytes } of entries) if (bytes === undefined) await visit(inner, [...parts, name]);
      return;
    }
    const found = new Map<string, Entry>();
    await collect(entries, [], { top, found });
    const prefix = parts.map((part) => `${part}/`).join('');
    const paths = new Set(found.keys());
    const inHub = [...found].map(([name, entry]) => [hubPath(name, paths), entry] as const);
    for (const [name, entry] of inHub) files.set(prefix + name, entry.path);
    folders.push({
      name: parts.join('/') || basename(top),
      path: parts.map((part) => `${encodeURIComponent(part)}/`).join(''),
      files: Object.fromEntries(inHub.map(([name, { bytes = 0 }]) => [name, bytes])),
      modified: Math.max(0, ...inHub.map(([, { modified }]) => modified)),
    });
  };
  await visit(top, []);
  return { folders, files };
}

async function collect(
  entries: readonly Entry[],
  parts: readonly string[],
  to: { readonly top: string; readonly found: Map<string, Entry> },
): Promise<void> {
  for (const entry of entries) {
    const path = [...parts, entry.name];
    if (entry.bytes === undefined) {
      if (path.length < DEPTH.files) await collect(await entriesOf(entry.path, to.top), path, to);
    } else if (isModelFile(entry.name) && to.found.size < MAX_FILES) to.found.set(path.join('/'), entry);
  }
}

/** Files and folders of a folder, by name. Those that cannot be read are left out. */
async function entriesOf(path: string, top: string): Promise<Entry[]> {
  const listed = await readdir(path, { withFileTypes: true }).catch((error: unknown) => ignoreUnreadable(error, path));
  const names = listed.map(({ name }) => name).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  const entries = await Promise.all(names.toSorted().map((name) => entryOf(join(path, name), name, top)));
  return entries.filter((entry) => entry !== undefined);
}

function ignoreUnreadable(error: unknown, path: string): Dirent[] {
  console.warn(`${path} cannot be read and is left out: ${error instanceof Error ? error.message : String(error)}`);
  return [];
}

async function entryOf(path: string, name: string, top: string): Promise<Entry | undefined> {
  try {
    const real = await realpath(path);
    if (!real.startsWith(top.endsWith(sep) ? top : top + sep)) return undefined;
    const found = await stat(real);
    const entry = { name, path: real, modified: found.mtimeMs };
    if (found.isFile()) return { ...entry, bytes: found.size };
    return found.isDirectory() ? { ...entry, bytes: undefined } : undefined;
  } catch {
    return undefined; // a link to nowhere
  }
}

/** Whether a request wants the SHA-256. @source RFC 9530, section 4 */
function wantsDigest(headers: IncomingHttpHeaders): boolean {
  return /(?:^|,)\s*sha-256=(?:[1-9]|10)\s*(?:,|$)/.test(String(headers['want-repr-digest'] ?? ''));
}

/** `Repr-Digest` of files, computed once for each `etag`, which names a state of the file; failures are tried again. */
function createDigests(): (path: string, etag: string) => Promise<string> {
  const known = new Map<string, { readonly etag: string; readonly value: Promise<string> }>();
  return (path, etag) => {
    const before = known.get(path);
    if (before?.etag === etag) return before.value;
    const value = computeDigest(path);
    known.set(path, { etag, value });
    value.catch(() => known.get(path)?.value === value && known.delete(path));
    return value;
  };
}

async function computeDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return `sha-256=:${hash.digest('base64')}:`;
}

/**
 * The bytes `[start, end)` of a file that a header `Range` names. Several ranges, and anything but a range of bytes, mean the
 * whole file: a server may answer any range with it.
 *
 * @source RFC 9110, section 14.2
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'all' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all';
  if (first === '')
    return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'all'; // not a range, by the grammar
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
