const KEY = 'lightwell.token';

/** The page's bearer token. */
export interface TokenKeeper {
  current(): string;
  /** Makes a new token; the old one is refused from then on. */
  replace(): string;
}

/**
 * Keeps a random token of 256 bits: made at the first start, kept where there is storage.
 *
 * @param given  used in place of a stored or random one, and not stored
 */
export function createTokenKeeper(storage: Pick<Storage, 'getItem' | 'setItem'> | null, given?: string): TokenKeeper {
  let token = given ?? storage?.getItem(KEY) ?? keep(randomToken());
  function keep(fresh: string): string {
    storage?.setItem(KEY, fresh);
    return fresh;
  }
  return { current: () => token, replace: () => (token = keep(randomToken())) };
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
