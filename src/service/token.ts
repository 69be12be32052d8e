import { TOKEN_FORMAT } from '../contract/wire/engine.ts';

const KEY = 'lightwell.token';

/**
 * The page's bearer token: 256 random bits, made at the first start and stored if there is storage.
 *
 * @param given     used instead of a stored or random one, and not stored
 * @param onChange  gets each token that replaces another
 */
export function createTokenStore(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  given?: string,
  onChange: (token: string) => void = () => undefined,
) {
  let token = given ?? restored(storage);
  const change = (next: string): string => {
    token = next;
    onChange(token);
    return token;
  };
  return {
    current: () => token,
    /** Makes a new token; the old one is refused from then on. */
    replace: () => change(store(storage, randomToken())),
    /** Takes the token that another tab has stored; this tab then refuses the old one too. */
    subscribe({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>) {
      if (key === KEY && newValue !== token && TOKEN_FORMAT.test(newValue ?? '')) change(newValue ?? token);
    },
  };
}

/** The stored token, else a new one. A storage that cannot be read is not written: it may hold the token. */
function restored(storage: Pick<Storage, 'getItem' | 'setItem'> | null): string {
  try {
    const token = storage?.getItem(KEY) ?? '';
    return TOKEN_FORMAT.test(token) ? token : store(storage, randomToken());
  } catch (error) {
    console.warn(`The token holds until this tab is closed, none could be read from the storage: ${String(error)}`);
    return randomToken();
  }
}

/** With a full or forbidden storage the token is that of this tab only. */
function store(storage: Pick<Storage, 'setItem'> | null, token: string): string {
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
