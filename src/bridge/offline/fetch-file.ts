import { headersOfFile } from '../../protocol/page/headers.ts';
import type { SiteFile } from '../../protocol/page/site-files.ts';

/** What files are fetched with; tests replace it. */
export interface FetchFileOptions {
  /** Told the size of each piece that has come, and minus their sum where they were in vain. */
  readonly onBytes?: (byteCount: number) => void;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

/** Types that hosts send in different ways, or not at all. */
const TYPES: readonly (readonly [ending: RegExp, type: string])[] = [
  [/\.m?js$/, 'text/javascript'],
  [/\.wasm$/, 'application/wasm'],
  [/\.css$/, 'text/css; charset=utf-8'],
  [/\.html$/, 'text/html; charset=utf-8'],
];

/**
 * Fetches a file of the site and checks it, from the browser's cache where that has it; once more past the cache where the
 * file is wrong.
 *
 * @param isNamedByContent  whether its address changes with its content, so that no older file can be in its place
 * @returns  as it is to be kept: with the headers that the page must have whoever sends it
 * @throws  {Error} naming the file, when it cannot be had or is not what the list says
 */
export async function fetchFile(
  url: string,
  facts: SiteFile,
  isNamedByContent: boolean,
  options: FetchFileOptions = {},
): Promise<Response> {
  const first = await received(url, facts, isNamedByContent ? 'default' : 'no-cache', options);
  const response = first ?? (await received(url, facts, 'reload', options));
  if (response) return response;
  throw new Error(`${url} is not the file of this version; the host may be changing it`);
}

/** Undefined for a file that is wrong. */
async function received(
  url: string,
  facts: SiteFile,
  cache: RequestCache,
  { onBytes = () => undefined, signal, fetch: get = fetch }: FetchFileOptions,
): Promise<Response | undefined> {
  const [expectedBytes, sha256] = facts;
  const response = await get(url, { cache, ...(signal && { signal }) });
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${response.statusText}`.trimEnd());
  const bytes = new Uint8Array(expectedBytes);
  let done = 0;
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    const isTooLong = done + piece.value.length > bytes.length;
    if (isTooLong) await reader?.cancel();
    if (isTooLong) return (onBytes(-done), undefined);
    bytes.set(piece.value, done);
    done += piece.value.length;
    onBytes(piece.value.length);
  }
  if (done === bytes.length && (await hashOf(bytes)) === sha256) return kept(url, bytes, response.headers);
  onBytes(-done);
  return undefined;
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function kept(url: string, bytes: Uint8Array<ArrayBuffer>, sent: Headers): Response {
  const headers = new Headers(headersOfFile(url));
  const known = TYPES.find(([ending]) => ending.test(url))?.[1];
  headers.set('Content-Type', known ?? sent.get('Content-Type') ?? 'application/octet-stream');
  headers.set('Content-Length', String(bytes.length));
  const announced = sent.get('Server-Timing'); // says that the host has a bridge
  if (announced !== null) headers.set('Server-Timing', announced);
  return new Response(bytes, { headers });
}
