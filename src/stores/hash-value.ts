import { toBase64 } from '../contract/wire/base64.ts';

/** A JSON value as the hash of an address, after a prefix; a hash is never sent to a server. */
export function hashOfValue(prefix: string, value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return prefix + toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** UTF-16 units of the longest address that Chromium follows. @source Chromium, url/url_constants.h, kMaxURLChars */
const MAX_HASH = 2 * 1024 * 1024;

/** The value in a hash; undefined where there is none, or it is damaged or too long. */
export function valueInHash(prefix: string, hash: string): unknown {
  if (!hash.startsWith(prefix) || hash.length > MAX_HASH) return undefined;
  try {
    const text = atob(hash.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
