import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of files, for whoever must know one without reading the file. */
export interface Digests {
  /** Value of `Repr-Digest`. `etag` names the state of the file: a digest is computed once for each. */
  of(path: string, etag: string): Promise<string>;
}

/** Whether a request asks for the SHA-256. @source RFC 9530, section 4 */
export function wantsDigest(headers: IncomingHttpHeaders): boolean {
  return /(?:^|,)\s*sha-256=(?:[1-9]|10)\s*(?:,|$)/.test(String(headers['want-repr-digest'] ?? ''));
}

/** Remembers what was computed; one that could not be computed is tried again. */
export function createDigests(): Digests {
  const known = new Map<string, { readonly etag: string; readonly value: Promise<string> }>();
  return {
    of(path, etag) {
      const before = known.get(path);
      if (before?.etag === etag) return before.value;
      const value = digestOf(path);
      known.set(path, { etag, value });
      value.catch(() => known.get(path)?.value === value && known.delete(path));
      return value;
    },
  };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return `sha-256=:${hash.digest('base64')}:`;
}
