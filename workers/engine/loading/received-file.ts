import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { FileFacts } from '../../../src/models/model.ts';

/**
 * What is wrong with a file that has come, for the end of a sentence; undefined: nothing. Size and SHA-256 are compared
 * where they are known. Without them only what hosts send in place of a file is noticed: an HTML page, or the pointer that
 * Git LFS keeps in a repository.
 */
export async function problemOf(
  file: Uint8Array<ArrayBuffer>,
  expected: FileFacts | undefined,
): Promise<string | undefined> {
  const standIn = standInFor(file);
  if (standIn !== undefined || expected === undefined) return standIn && `got ${standIn}`;
  const hashed = expected.sha256 === undefined ? '' : ` with the SHA-256 ${expected.sha256}`;
  const wanted = `expected ${expected.bytes} bytes${hashed}`;
  if (file.length !== expected.bytes) return `${wanted}, got ${file.length} bytes`;
  if (expected.sha256 === undefined) return undefined;
  const found = bytesToHex(await sha256Of(file));
  return found === expected.sha256 ? undefined : `${wanted}, got as many with ${found}`;
}

/** SHA-256 of a file, lower-case hexadecimal. */
export async function digestOf(file: Uint8Array): Promise<string> {
  return bytesToHex(await sha256Of(new Uint8Array(file.buffer as ArrayBuffer, file.byteOffset, file.byteLength)));
}

/** The browser's own hash is the faster one; a page that comes over plain HTTP does not have it. */
async function sha256Of(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto;
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', file)) : sha256(file);
}

/** Bytes that are enough to know what stands in place of a file. */
const HEAD_BYTES = 256;

function standInFor(file: Uint8Array): string | undefined {
  const head = new TextDecoder().decode(file.subarray(0, HEAD_BYTES)).trimStart();
  if (/^<(?:!doctype|html|head|body|\?xml|!--)/i.test(head))
    return 'an HTML page in its place, as hosts answer that send their start page for files that they lack';
  if (head.startsWith('version https://git-lfs.github.com/'))
    return 'a Git LFS pointer in its place: the folder was copied without its large files; fetch them there (git lfs pull)';
  return undefined;
}
