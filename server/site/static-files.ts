import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { UNCOMPRESSED_LENGTH } from '../../src/protocol/frames/frames.ts';
import { isFileRequest, refuseRequest } from '../origins.ts';
import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { headersOfFile } from '../../src/protocol/page/headers.ts';

/** The built page of this package: this file is as deep below its root as the bundle `build/server/lightwell.mjs`. */
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
 * A request listener that serves the files under `root` and nothing else, by sirv. It reads the disk at each request, so that
 * a new build is served at once. Of a file with a `.br` or `.gz` the smallest that the client accepts is sent.
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
    if (!isFileRequest(request, response)) return;
    if (/(\/|\.br|\.gz)$/.test(path)) return refuseRequest(response, 404, 'Not found');
    request.url = path;
    response.setHeader('Cache-Control', cacheControlOf(path));
    response.setHeader('Vary', 'Accept-Encoding');
    guard(request, response);
    send(request, response, () => refuseRequest(response, 404, 'Not found'));
  };
}

/** The root is the page; queries are ignored. */
function pathOf(url: string): string {
  const [path = '/'] = url.split(/[?#]/, 1);
  return path === '/' ? '/index.html' : path;
}

/** Built assets have a hash of their content in their name, so they never change; browsers check all others each time. */
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
 * Handles what sirv does not: a range that ends before it begins (it throws), an encoding that the client refuses by `q=0`
 * (it sends it), a file that is deleted while it is read (the error is not handled, and the process ends).
 */
function guard(request: IncomingMessage, response: ServerResponse): void {
  delete request.headers.range; // a server may answer any range with the whole
  const encodings = String(request.headers['accept-encoding'] ?? '').split(',');
  request.headers['accept-encoding'] = encodings.filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each)).join(',');
  response.once('pipe', (file: Readable) => file.once('error', (error) => response.destroy(error)));
}
