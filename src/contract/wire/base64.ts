/** Bytes as base64 of the standard alphabet, padded. @source RFC 4648, section 4 */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
