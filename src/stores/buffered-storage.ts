import { isRecord } from '../contract/records.ts';
import { persist, type PersistStorage } from 'zustand/middleware';
import { createStore, type StateCreator, type StoreApi } from 'zustand/vanilla';

/** Texts by key that survive a reload. No call throws; `createBufferedStorage` makes one. */
export type BufferedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Writing storage blocks the page, so waiting texts are written at most this often. */
export const WRITE_INTERVAL_MS = 500;

/**
 * Buffers writes to the browser's storage. The first text is written at once, then the newest of each key once per interval;
 * the rest is written when the page is hidden or left. A text that the storage refuses (quota, privacy mode) is lost, and the
 * older one is removed, so that a reload never mixes old and new.
 *
 * @param storage  null if the browser forbids it; texts are then lost with the page
 */
export function createBufferedStorage(
  storage: BufferedStorage | null,
  page: { addEventListener(type: 'pagehide' | 'visibilitychange', listener: () => void): void },
): BufferedStorage {
  const waiting = new Map<string, string | null>();
  const writeAll = () => {
    for (const [key, text] of waiting) write(storage, key, text);
    waiting.clear();
  };
  const throttle = createThrottle(writeAll, WRITE_INTERVAL_MS);
  const put = (key: string, text: string | null) => {
    waiting.set(key, text);
    throttle.push();
  };
  page.addEventListener('pagehide', throttle.flush);
  page.addEventListener('visibilitychange', throttle.flush);
  return {
    getItem: (key) => (waiting.has(key) ? (waiting.get(key) ?? null) : read(storage, key)),
    setItem: (key, text) => put(key, text),
    removeItem: (key) => put(key, null),
  };
}

function write(storage: BufferedStorage | null, key: string, text: string | null): void {
  try {
    if (text !== null) return storage?.setItem(key, text);
  } catch {
    // Refused: the older text is removed below.
  }
  try {
    storage?.removeItem(key);
  } catch {
    // Forbidden: there is nothing to remove.
  }
}

function read(storage: BufferedStorage | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null;
  } catch {
    return null; // reading may be forbidden too
  }
}

/** Applies at most one value per interval: the first at once, then the newest. */
export function createThrottle<Value = void>(apply: (value: Value) => void, intervalMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: { value: Value } | null = null;
  const next = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    timer = setTimeout(next, intervalMs);
    apply(value);
  };
  return {
    push(value: Value): void {
      waiting = { value };
      if (timer === undefined) next();
    },
    flush(): void {
      if (waiting) next();
    },
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
      waiting = null;
    },
  };
}

/**
 * Storage for zustand's `persist`: each field has its own key, `<name>.<field>`, and is written as `{ version, value }`
 * only when its value is another object or text than before. So a keystroke in the prompt does not store the picture again.
 * `undefined` leaves what is stored, `null` removes it.
 *
 * Fields that are missing, damaged or of another version are left out when read; the store's `merge` checks the others.
 *
 * @param writers  how each field is written: as a value of JSON
 */
export function createFieldStorage<Fields extends object>(
  memory: BufferedStorage,
  writers: { readonly [Field in keyof Fields]: (value: NonNullable<Fields[Field]>) => unknown },
): PersistStorage<Fields> {
  const written = new Map<string, unknown>();
  const read = new Map<string, string>(); // as stored, until the field is written
  const fields = Object.keys(writers) as (keyof Fields & string)[]; // `Object.keys` forgets the names
  return {
    getItem(name) {
      const state: Partial<Fields> = {};
      for (const field of fields) {
        const text = memory.getItem(`${name}.${field}`);
        if (text === null) continue;
        read.set(field, text);
        Object.assign(state, { [field]: valueIn(text) });
      }
      return { state: state as Fields }; // unchecked: `merge` takes it as unknown
    },
    setItem(name, { state }) {
      for (const field of fields) {
        const value = state[field];
        if (value === undefined || written.get(field) === value) continue;
        written.set(field, value);
        const key = `${name}.${field}`;
        const text = value === null ? null : JSON.stringify({ version: VERSION, value: writers[field](value) });
        if (text === null) memory.removeItem(key);
        else if (text !== read.get(field)) memory.setItem(key, text);
        read.delete(field);
      }
    },
    removeItem(name) {
      for (const field of fields) memory.removeItem(`${name}.${field}`);
    },
  };
}

/** Version of what is stored. Other versions are not read: raise it when a stored value changes its shape. */
const VERSION = 1;

function valueIn(text: string): unknown {
  try {
    const stored: unknown = JSON.parse(text);
    return isRecord(stored) && stored['version'] === VERSION ? stored['value'] : undefined;
  } catch {
    return undefined; // damaged
  }
}

/** Writes a field as it is. */
export function asIs(value: unknown): unknown {
  return value;
}

/**
 * A store of which some fields survive a reload; they are written as they are.
 *
 * @param readers  the value of each of these fields by what is stored, of unknown origin; undefined where nothing is
 */
export function createPersistentStore<State extends object, Field extends keyof State & string>(
  name: string,
  memory: BufferedStorage,
  readers: { readonly [Name in Field]: (stored: unknown) => State[Name] },
  create: StateCreator<State>,
): StoreApi<State> {
  const names = Object.keys(readers) as Field[]; // `Object.keys` forgets the names
  const fields = <Value>(valueOf: (field: Field) => Value) =>
    Object.fromEntries(names.map((field) => [field, valueOf(field)])) as Record<Field, Value>;
  return createStore<State>()(
    persist(create, {
      name,
      storage: createFieldStorage<Pick<State, Field>>(
        memory,
        fields(() => asIs),
      ),
      partialize: (state) => fields((field) => state[field]) as Pick<State, Field>, // each value is that of its field
      merge: (stored, current) => ({
        ...current,
        ...fields((field) => readers[field](isRecord(stored) ? stored[field] : undefined)),
      }),
    }),
  );
}
