import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FailureError } from '../../../src/contract/failure.ts';
import { announcedLength, fetched, unreadable, type DownloadOptions, type OnBytes } from './download.ts';

/**
 * SHA-256 of a file that is too large to be held. Where it is known already, or the server tells it, the file is not read;
 * else it is read once, piece by piece.
 *
 * @returns lower-case hexadecimal
 * @throws {FailureError} MODEL_UNAVAILABLE with URL and status, what went wrong on the way, or how many bytes were expected
 * @throws {DOMException} AbortError when `signal` is aborted
 */
export async function digestOfFile(url: string, options: DownloadOptions): Promise<string> {
  const { expected, held } = options;
  if (expected?.sha256 !== undefined) return expected.sha256;
  const found =
    held === undefined ? ((await told(url, options)) ?? (await read(url, options))) : await ofHeld(url, held, options);
  if (found === undefined) throw new FailureError('MODEL_UNAVAILABLE', `${url} answered 404: there is no such file`);
  return found;
}

/** Asks the server for the digest alone; undefined where it does not know one, or knows no HEAD. @source RFC 9530, sections 3 and 4: Repr-Digest, Want-Repr-Digest */
async function told(url: string, { signal, headers, onBytes }: DownloadOptions): Promise<string | undefined> {
  const wanted = { ...headers, 'Want-Repr-Digest': 'sha-256=10' };
  const options = { onBytes, signal, headers: wanted, method: 'HEAD', cache: 'no-store' } as const;
  return fetched(url, options, async (response) => {
    const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(response.headers.get('repr-digest') ?? '') ?? [];
    return base64 === undefined ? undefined : bytesToHex(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  }).catch((error: unknown) => {
    if (error instanceof FailureError) return undefined; // reading the file shows what is wrong, if anything is
    throw error;
  });
}

async function read(url: string, options: DownloadOptions): Promise<string | undefined> {
  return fetched(url, { ...options, cache: 'no-store' }, (response, onBytes) => {
    const bytes = options.expected?.bytes ?? announcedLength(response.headers);
    return ofStream(url, response.body, { bytes, onBytes });
  });
}

async function ofHeld(url: string, held: Blob | null, { onBytes, signal, expected }: DownloadOptions) {
  if (held === null) return undefined;
  signal?.throwIfAborted();
  return ofStream(url, held.stream(), { bytes: expected?.bytes ?? held.size, onBytes, signal }).catch(
    (error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof FailureError) throw error;
      return unreadable(url, error);
    },
  );
}

/** @param bytes  how many must come; 0: not known */
async function ofStream(
  url: string,
  stream: ReadableStream<Uint8Array> | null,
  {
    bytes,
    onBytes,
    signal,
  }: { readonly bytes: number; readonly onBytes: OnBytes; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const hash = sha256.create();
  const reader = stream?.getReader();
  let done = 0;
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    if (signal?.aborted) await reader?.cancel();
    signal?.throwIfAborted();
    hash.update(piece.value);
    done += piece.value.length;
    onBytes(done, bytes);
  }
  if (bytes === 0 || done === bytes) return bytesToHex(hash.digest());
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    `${url} is not the model's file: expected ${bytes} bytes, got ${done} bytes`,
  );
}
