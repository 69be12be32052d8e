import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** SHA-256 of a file in memory, lower-case hexadecimal. Uses the browser's own hash, which is faster and missing on plain HTTP. */
export async function sha256Of(file: Uint8Array): Promise<string> {
  const { subtle }: { readonly subtle?: typeof crypto.subtle } = crypto;
  if (!subtle) return createHash('sha256').update(file).hex();
  return toHex(new Uint8Array(await subtle.digest('SHA-256', file as Uint8Array<ArrayBuffer>)));
}

/** A hash of a file in pieces, for files too large for memory. `crypto.subtle` hashes only whole files. */
interface IncrementalHash {
  update(bytes: Uint8Array): IncrementalHash;
  /** Lower-case hexadecimal. Ends the hash. */
  hex(): string;
}

/** Starts a hash. @param algorithm  SHA-1 is the hash of git's blobs */
export function createHash(algorithm: 'sha1' | 'sha256'): IncrementalHash {
  const hash = algorithm === 'sha1' ? sha1.create() : sha256.create();
  const incremental: IncrementalHash = {
    update(bytes) {
      hash.update(bytes);
      return incremental;
    },
    hex: () => toHex(hash.digest()),
  };
  return incremental;
}

/** Bytes as lower-case hexadecimal, two digits each. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
