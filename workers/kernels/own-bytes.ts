/** Bytes that no other thread shares, which is what the platform's decoders read; a copy where they are shared. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isOwn(bytes) ? bytes : bytes.slice();
}

function isOwn(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
