import type { FileDigest } from '../codec/data-files.ts';

/**
 * Output of an exported graph, uint8 `[files, 32]`: the SHA-256 of each file that it was made from, the graph first, then its
 * data files. It is a constant of the graph, so every server of the protocol returns it, and no extension is needed.
 */
export const DIGEST = 'lightwell/digest';

/** Of one file in `DIGEST`. */
export const DIGEST_BYTES = 32;

/** The digests of a network in the order of `DIGEST`. */
export function inOrder(graph: string, data: readonly FileDigest[]): readonly [FileDigest, ...FileDigest[]] {
  const byPath = data.toSorted((one, other) => (one.file < other.file ? -1 : 1));
  return [{ file: 'graph', sha256: graph }, ...byPath];
}

/** Bytes of `DIGEST`. */
export function bytesOfDigests(digests: readonly FileDigest[]): Uint8Array {
  const hex = digests.map(({ sha256 }) => sha256).join('');
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** Digests, lower-case hexadecimal, out of bytes of `DIGEST`; a last one that is cut short is left out. */
export function digestsIn(bytes: Uint8Array): readonly string[] {
  return Array.from({ length: Math.floor(bytes.length / DIGEST_BYTES) }, (_, index) =>
    Array.from(bytes.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join(''),
  );
}
