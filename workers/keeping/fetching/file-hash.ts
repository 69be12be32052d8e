import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { PlannedFile } from '../../../src/protocol/keeping/kept-model.ts';
import type { OpenFile } from '../device/model-folder.ts';

/** Read at once while a file is hashed. */
const BLOCK = 2 ** 20;

/**
 * What is wrong with a file that has come, naming what was expected and what came; null: nothing. The hub vouches for large files
 * by SHA-256 and for small ones by the name that git gives them.
 *
 * @param pause  lets messages in between blocks
 * @source git: a blob is named by the SHA-1 of `blob <bytes>\0` and its content
 */
export async function problemOfFile(
  { bytes, sha256: expected, gitHash }: PlannedFile,
  file: OpenFile,
  pause: () => Promise<void>,
): Promise<string | null> {
  const size = file.getSize();
  if (size !== bytes) return `expected ${bytes} bytes, got ${size}`;
  const hash = expected === null ? gitHash && sha1.create() : sha256.create();
  if (!hash) return null;
  if (expected === null) hash.update(new TextEncoder().encode(`blob ${bytes}\0`));
  const block = new Uint8Array(BLOCK);
  for (let at = 0; at < size; at += BLOCK) {
    hash.update(block.subarray(0, file.read(block, { at })));
    await pause();
  }
  const found = bytesToHex(hash.digest());
  const wanted = expected ?? gitHash;
  return found === wanted ? null : `expected ${bytes} bytes with the hash ${wanted}, got as many with ${found}`;
}
