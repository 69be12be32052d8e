import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { rangeOf } from '../../../server/model-files.ts';

/** What a hub's repository has, bytes by path. Files of more than `LARGE` lie in Git LFS, behind a redirect to another host. */
export interface Repository {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly licence?: string;
}

/** How the hub behaves; a test changes it while it runs. */
export interface HubFaults {
  /** A request without this token gets a 401. */
  token?: string;
  /** A request with the token also gets a 403. */
  hasTerms?: boolean;
  /** So many answers with bytes are a 429 first. */
  busy?: number;
  /** Connections end when so many bytes of files were sent, and new ones are refused. */
  cutAt?: number;
  /** Answers stand still when so many bytes of files were sent, until this is taken away. */
  stallAt?: number;
  /** Bytes in a second, of each answer. */
  bytesPerSecond?: number;
  /** Path of a file whose last byte is another one. */
  wrongByte?: string;
  /** Path of a file in whose place a page comes. */
  page?: string;
  /** Files come whole, whatever part was asked for. */
  sendsNoParts?: boolean;
  /** Files behind a redirect refuse what a browser asks leave for. */
  refusesPreflight?: boolean;
}

/** A hub that runs. */
export interface Hub {
  readonly url: string;
  readonly faults: HubFaults;
  /** Bytes of files that were sent. */
  sent(): number;
  /** Requests for bytes of files. */
  asked(): readonly {
    readonly path: string;
    readonly range: string | undefined;
    readonly ifRange: string | undefined;
  }[];
  close(): Promise<void>;
}

const LARGE = 20_000;
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** Starts a hub and, on another port, the host of its large files. */
export async function startHub(repositories: ReadonlyMap<string, Repository>): Promise<Hub> {
  const faults: HubFaults = {};
  const asked: { path: string; range: string | undefined; ifRange: string | undefined }[] = [];
  const state = { faults, asked, sent: 0, repositories, large: '' };
  const large = await listening((request, response) => answerLarge(request, response, state));
  state.large = large.url;
  const hub = await listening((request, response) => answer(request, response, state));
  return {
    url: hub.url,
    faults,
    sent: () => state.sent,
    asked: () => asked,
    close: async () => void (await Promise.all([hub.close(), large.close()])),
  };
}

interface State {
  readonly faults: HubFaults;
  readonly asked: { path: string; range: string | undefined; ifRange: string | undefined }[];
  sent: number;
  readonly repositories: ReadonlyMap<string, Repository>;
  large: string;
}

async function listening(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer((request, response) => {
    response.on('error', () => undefined);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const EXPOSED = 'ETag, Link, Accept-Ranges, Content-Range, X-Linked-Size, X-Linked-ETag, X-Error-Message, Retry-After';

/** @returns whether that was all */
function crossOrigin({ method, headers }: IncomingMessage, response: ServerResponse, isRefused: boolean): boolean {
  response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (method !== 'OPTIONS') return false;
  if (!isRefused) response.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '');
  response.writeHead(isRefused ? 403 : 204).end();
  return true;
}

function answer(request: IncomingMessage, response: ServerResponse, state: State): void {
  if (crossOrigin(request, response, false)) return;
  const { faults, repositories } = state;
  const { pathname } = new URL(request.url ?? '/', 'http://hub');
  const [, kind, id = '', rest = ''] = /^\/(api\/models\/)?([\w.-]+\/[\w.-]+)\/(.*)$/.exec(pathname) ?? [];
  const repository = repositories.get(id);
  const isAllowed = faults.token === undefined || request.headers.authorization === `Bearer ${faults.token}`;
  if (repository === undefined || !isAllowed) return refuse(response, 401, 'Invalid username or password.');
  if (faults.hasTerms === true) return refuse(response, 403, `Access to model ${id} is restricted.`);
  if (kind !== undefined) return answerApi(rest, response, { repository, id });
  const [, path = ''] = /^resolve\/[^/]+\/(.+)$/.exec(decodeURIComponent(rest)) ?? [];
  const file = repository.files.get(path);
  if (file === undefined) return refuse(response, 404, 'Entry not found');
  if (file.length <= LARGE) return send(request, response, { state, path, file });
  const hash = createHash('sha256').update(file).digest('hex');
  const location = `${state.large}/${id}/${encodeURIComponent(path)}?signature=secret`;
  response.writeHead(302, { Location: location, 'X-Linked-ETag': `"${hash}"`, 'X-Linked-Size': file.length }).end();
}

function answerApi(
  rest: string,
  response: ServerResponse,
  { repository: { files, licence }, id }: { readonly repository: Repository; readonly id: string },
): void {
  if (/^revision\/(main|v1|[0-9a-f]{40})$/.test(rest))
    return json(response, { id, sha: COMMIT, ...(licence && { cardData: { license: licence } }), tags: [] });
  const [, folder = null] = /^tree\/[0-9a-f]{40}\/?(.*)$/.exec(decodeURIComponent(rest)) ?? [];
  if (folder === null) return refuse(response, 404, 'Revision Not Found');
  const inside = [...files].filter(([path]) => folder === '' || path.startsWith(`${folder}/`));
  if (inside.length === 0) return refuse(response, 404, 'Entry Not Found');
  json(response, [{ type: 'directory', path: 'onnx', oid: '', size: 0 }, ...inside.map(entryOf)]);
}

function entryOf([path, file]: readonly [string, Uint8Array]): object {
  const size = file.length;
  const sha256 = createHash('sha256').update(file).digest('hex');
  const git = createHash('sha1').update(`blob ${size}\0`).update(file).digest('hex');
  const lfs = size > LARGE ? { lfs: { oid: sha256, size, pointerSize: 134 } } : {};
  return { type: 'file', path, size, oid: size > LARGE ? 'f'.repeat(40) : git, ...lfs };
}

function answerLarge(request: IncomingMessage, response: ServerResponse, state: State): void {
  if (crossOrigin(request, response, state.faults.refusesPreflight === true)) return;
  const { pathname } = new URL(request.url ?? '/', 'http://large');
  const [, id = '', path = ''] = /^\/([^/]+\/[^/]+)\/(.+)$/.exec(pathname) ?? [];
  const file = state.repositories.get(id)?.files.get(decodeURIComponent(path));
  if (request.headers.authorization !== undefined) return refuse(response, 400, 'Only one auth mechanism allowed');
  if (file === undefined) return refuse(response, 404, 'Not found');
  send(request, response, { state, path: decodeURIComponent(path), file });
}

function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { state, path, file: right }: { readonly state: State; readonly path: string; readonly file: Uint8Array },
): void {
  const { faults } = state;
  state.asked.push({ path, range: headers.range, ifRange: headers['if-range'] as string | undefined });
  if (faults.busy !== undefined && faults.busy-- > 0) {
    response.setHeader('Retry-After', '0');
    return refuse(response, 429, 'Too many requests');
  }
  if (faults.cutAt !== undefined && state.sent >= faults.cutAt) return void response.destroy();
  if (faults.page === path) return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html></html>');
  const file = faults.wrongByte === path ? withWrongByte(right) : right;
  const etag = `"${createHash('md5').update(file).digest('hex')}"`;
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = isSame && faults.sendsNoParts !== true ? rangeOf(headers.range, file.length) : 'all';
  if (range === 'unsatisfiable') return refuse(response, 416, 'Range not satisfiable');
  const { start, end } = range === 'all' ? { start: 0, end: file.length } : range;
  response.writeHead(range === 'all' ? 200 : 206, {
    ETag: etag,
    'Content-Type': 'application/octet-stream',
    'Content-Length': end - start,
    ...(range !== 'all' && { 'Content-Range': `bytes ${start}-${end - 1}/${file.length}` }),
  });
  void pour(file.subarray(start, end), response, state);
}

/** In pieces, so that a connection can be cut between two of them; what was sent by then still arrives. */
async function pour(bytes: Uint8Array, response: ServerResponse, state: State): Promise<void> {
  const { faults } = state;
  const step = 16_384;
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  for (let at = 0; at < bytes.length; at += step) {
    while (state.sent >= (faults.stallAt ?? Infinity) && !response.destroyed) await wait(20);
    if (faults.cutAt !== undefined && state.sent >= faults.cutAt) return void response.socket?.end();
    if (response.destroyed) return;
    const piece = bytes.subarray(at, at + step);
    state.sent += piece.length;
    await Promise.race([closed, new Promise<void>((resolve) => response.write(piece, () => resolve()))]);
    if (faults.bytesPerSecond !== undefined) await wait((1000 * piece.length) / faults.bytesPerSecond);
  }
  response.end();
}

function withWrongByte(right: Uint8Array): Uint8Array {
  const wrong = Uint8Array.from(right);
  wrong[wrong.length - 1] = 255 - (wrong.at(-1) ?? 0);
  return wrong;
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Error-Message': message });
  response.end(JSON.stringify({ error: message }));
}
