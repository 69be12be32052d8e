import { constants, deflateSync } from 'node:zlib';

/** Zeros that are packed at a time. */
const BLOCK = 2 ** 20;

/** Data packed with Deflate, as the characters of a stream of a PDF. */
export function deflated(bytes: Uint8Array): string {
  return deflateSync(bytes).toString('latin1');
}

/**
 * Megabytes of zeros, packed with Deflate several times, without having them in memory. The checksum at the end is wrong.
 *
 * @param layers  how many times the zeros are packed
 */
export function bomb(megabytes: number, layers: number): string {
  const head = deflateSync(Buffer.alloc(0)).subarray(0, 2);
  const packed = deflateSync(Buffer.alloc(BLOCK), { finishFlush: constants.Z_FULL_FLUSH }).subarray(2);
  let bytes = Buffer.concat([head, ...Array.from({ length: megabytes }, () => packed), Buffer.of(3, 0, 0, 0, 0, 0)]);
  for (let layer = 1; layer < layers; layer++) bytes = deflateSync(bytes);
  return bytes.toString('latin1');
}
