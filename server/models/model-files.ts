import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { LOCAL_MODELS } from '../../src/contract/wire/local-models.ts';
import { PAGE_HEADERS } from '../../src/protocol/page/headers.ts';
import { mayHaveFiles } from '../origins.ts';
import { findModels, type FoundModels } from './find-models.ts';
import { createDigests, type Digests, wantsDigest } from './file-digests.ts';
import { rangeOf } from './range.ts';

const PREFIX = `/${LOCAL_MODELS}`;
const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Whether a request is for a model that `--models` names. */
export function isLocalModel(url: string): boolean {
  return url.startsWith(PREFIX);
}

/**
 * A request listener for the models below `root`: their list at `/local-models/`, and their files. A file is sent if the
 * list has it, by its very path: no path of a request is ever joined to another.
 *
 * @param root  absolute path of a folder
 */
export function modelFiles(root: string): RequestListener {
  let latest: Promise<FoundModels> | undefined;
  const digests = createDigests();
  return (request, response) => {
    response.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    if (!mayHaveFiles(request)) return refuse(response, 403, 'Only the page of this server may load its files');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return refuse(response, 405, 'Only GET and HEAD are served');
    }
    const path = pathOf(request.url ?? '');
    if (path === '' || latest === undefined) latest = findModels(root);
    void latest
      .then((found) =>
        path === '' ? sendList(response, found) : sendFile(request, response, { path, found, digests }),
      )
      .catch((error: unknown) => {
        latest = undefined;
        if (response.headersSent) return void response.destroy();
        refuse(response, 500, `${root} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      });
  };
}

/** Below `/local-models/`, decoded once; a path that cannot be decoded is no file's. */
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

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  {
    path: asked,
    found: { files },
    digests,
  }: { readonly path: string; readonly found: FoundModels; readonly digests: Digests },
): Promise<void> {
  const path = files.get(asked);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !found?.isFile()) return refuse(response, 404, 'Not found');
  const etag = `"${found.size.toString(16)}-${Math.round(found.mtimeMs).toString(16)}"`;
  response.setHeaders(
    new Map([
      ['Content-Type', TYPES[extname(asked)] ?? 'application/octet-stream'],
      ...[['Cache-Control', 'no-cache'] as const, ['ETag', etag] as const, ['Accept-Ranges', 'bytes'] as const],
    ]),
  );
  if (request.method === 'HEAD' && wantsDigest(request.headers))
    response.setHeader('Repr-Digest', await digests.of(path, etag));
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  sendPart(request, response, { path, found, etag });
}

function sendPart(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { path, found, etag }: { readonly path: string; readonly found: Stats; readonly etag: string },
): void {
  const mayBePart = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = mayBePart ? rangeOf(headers.range, found.size) : 'all';
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${found.size}`);
    return refuse(response, 416, 'The file has no such bytes');
  }
  const { start, end } = range === 'all' ? { start: 0, end: found.size } : range;
  if (range !== 'all') response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${found.size}`);
  response.writeHead(range === 'all' ? 200 : 206, { 'Content-Length': end - start });
  if (method === 'HEAD' || end === start) return void response.end();
  const file = createReadStream(path, { start, end: end - 1 });
  file.once('error', (error) => response.destroy(error));
  response.once('close', () => file.destroy());
  file.pipe(response);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.removeHeader('Cache-Control');
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
