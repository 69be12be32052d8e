// @ts-check
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { CONTENT_SECURITY_POLICY, ISOLATION_HEADERS } from './policy.mjs';

/** Types of what a build can hold; a wrong type for `.wasm` or `.mjs` stops the page, so nothing is guessed. */
const TYPES = /** @type {Readonly<Record<string, string>>} */ ({
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.onnx': 'application/octet-stream',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
});

const COMMON_HEADERS = {
  ...ISOLATION_HEADERS,
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * A request listener that serves the files under `root` and nothing else.
 *
 * @param {string} root  absolute path of a built page
 * @returns {import('node:http').RequestListener}
 */
export function staticFiles(root) {
  return (request, response) => {
    answer(root, request, response).catch((error) => {
      console.error(error);
      refuse(response, 500, 'The file could not be read');
    });
  };
}

/**
 * @param {string} root
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only GET and HEAD are served');
  const path = filePath(root, request.url ?? '/');
  const file = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !file?.isFile()) return refuse(response, 404, 'Not found');
  const headers = headersOf(path, file);
  if (request.headers['if-none-match'] === headers.ETag) return void response.writeHead(304, headers).end();
  response.writeHead(200, { ...headers, 'Content-Length': file.size });
  if (request.method === 'HEAD') return void response.end();
  createReadStream(path)
    .on('error', (error) => response.destroy(error))
    .pipe(response);
}

/**
 * The file a URL names, or undefined for one outside `root`: an undecodable path, a NUL or a climb with `..`.
 *
 * @param {string} root
 * @param {string} url
 */
export function filePath(root, url) {
  const pathname = decode(url.split(/[?#]/, 1)[0] ?? '/');
  if (pathname === undefined || pathname.includes('\0')) return undefined;
  const path = normalize(join(root, pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  return path.startsWith(root + sep) ? path : undefined;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a malformed escape names no file
  }
}

/**
 * Built assets carry a hash of their content in their name, so they never change; all else is asked about each time.
 *
 * @param {string} path
 * @param {import('node:fs').Stats} file
 */
function headersOf(path, file) {
  return {
    ...COMMON_HEADERS,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: `"${file.size.toString(36)}-${Math.trunc(file.mtimeMs).toString(36)}"`,
  };
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} message
 */
function refuse(response, status, message) {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
