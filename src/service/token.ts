import { TOKEN_FORMAT } from '../contract/wire/token.ts';

const KEY = 'lightwell.token';

/** The page's bearer token. */
export interface TokenKeeper {
  current(): string;
  /** Makes a new token; the old one is refused from then on. */
  replace(): string;
  /** Takes over the token that another tab has stored; this tab then refuses the old one too. */
  hear(event: Pick<StorageEvent, 'key' | 'newValue'>): void;
}

/**
 * Keeps a random token of 256 bits: made at the first start, kept where there is storage.
 *
 * @param given     used in place of a stored or random one, and not stored
 * @param onChange  told a token that takes the place of another
 */
export function createTokenKeeper(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  given?: string,
  onChange: (token: string) => void = () => undefined,
): TokenKeeper {
  let token = given ?? restored(storage);
  const change = (next: string): string => {
    token = next;
    onChange(token);
    return token;
  };
  return {
    current: () => token,
    replace: () => change(keep(storage, randomToken())),
    hear({ key, newValue }) {
      if (key === KEY && newValue !== token && TOKEN_FORMAT.test(newValue ?? '')) change(newValue ?? token);
    },
  };
}

/** The stored token, else a new one. A storage that cannot be read is left as it is: what it holds may be the token. */
function restored(storage: Pick<Storage, 'getItem' | 'setItem'> | null): string {
  try {
    const token = storage?.getItem(KEY) ?? '';
    return TOKEN_FORMAT.test(token) ? token : keep(storage, randomToken());
  } catch (error) {
    console.warn(`The token holds until this tab is closed, none could be read from the storage: ${String(error)}`);
    return randomToken();
  }
}

/** A full or forbidden storage is no reason to be without a token: it holds in this tab. */
function keep(storage: Pick<Storage, 'setItem'> | null, token: string): string {
  try {
    storage?.setItem(KEY, token);
  } catch (error) {
    console.warn(`The token holds until this tab is closed, it could not be stored: ${String(error)}`);
  }
  return token;
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
