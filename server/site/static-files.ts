import { statSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { UNCOMPRESSED_LENGTH } from '../../src/protocol/frames/line.ts';
import { headersOfFile } from '../../src/protocol/page/headers.ts';
import { mayHaveFiles } from '../origins.ts';

/** The built page of this package: this file lies as deep below its root as the bundle `build/server/lightwell.mjs`. */
export const SITE = join(import.meta.dirname, '../../dist');

/** Where sirv knows no type, or names no encoding. Scripts are UTF-8 in any case. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.onnx': 'application/octet-stream',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * A request listener that serves the files under `root` and nothing else, by sirv. It looks at the disk for each request,
 * so that a new build is served at once. Of a file with a `.br` or `.gz` beside it the smallest that the client reads is sent.
 *
 * @param root  absolute path of a built page
 */
export function staticFiles(root: string): RequestListener {
  const send = sirv(root, {
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    extensions: [],
    setHeaders: (response, path, { size }) => describe(response, join(root, path), size),
  });
  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    response.setHeaders(new Map(Object.entries(headersOfFile(path))));
    if (!mayHaveFiles(request)) return refuse(response, 403, 'Only the page of this server may load its files');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return refuse(response, 405, 'Only GET and HEAD are served');
    }
    if (/(\/|\.br|\.gz)$/.test(path)) return refuse(response, 404, 'Not found');
    request.url = path;
    response.setHeader('Cache-Control', cacheControlOf(path));
    response.setHeader('Vary', 'Accept-Encoding');
    guard(request, response);
    send(request, response, () => refuse(response, 404, 'Not found'));
  };
}

/** The page stands for the root; a query means nothing to a file. */
function pathOf(url: string): string {
  const [path = '/'] = url.split(/[?#]/, 1);
  return path === '/' ? '/index.html' : path;
}

/** Built assets carry a hash of their content in their name, so they never change; all else is asked about each time. */
function cacheControlOf(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** @param sentBytes  of the file itself, or of its compressed form */
function describe(response: ServerResponse, path: string, sentBytes: number): void {
  const type = TYPES[extname(path)];
  if (type !== undefined) response.setHeader('Content-Type', type);
  const whole = statSync(path, { throwIfNoEntry: false });
  if (whole !== undefined && whole.size !== sentBytes) response.setHeader(UNCOMPRESSED_LENGTH, whole.size);
}

/**
 * Keeps from sirv what it does not take: a range that ends before it begins (it throws), an encoding that the client
 * refuses by `q=0` (it sends it), a file that vanishes while it is read (nobody listens, and the process ends).
 */
function guard(request: IncomingMessage, response: ServerResponse): void {
  delete request.headers.range; // a server may answer any range with the whole
  const encodings = String(request.headers['accept-encoding'] ?? '').split(',');
  request.headers['accept-encoding'] = encodings.filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each)).join(',');
  response.once('pipe', (file: Readable) => file.once('error', (error) => response.destroy(error)));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.removeHeader('Cache-Control');
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
