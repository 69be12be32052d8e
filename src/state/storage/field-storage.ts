import type { PersistStorage } from 'zustand/middleware';
import type { Memory } from './memory.ts';

/** How each kept field is written: a value of JSON. */
export type FieldWriters<Kept> = { readonly [Field in keyof Kept]: (value: NonNullable<Kept[Field]>) => unknown };

/**
 * Storage for zustand's `persist`: each field has its own key, `<name>.<field>`, and is written as `{ version, value }`
 * only when its value is another object or text than before. So a keystroke in the prompt does not store the picture again.
 * `undefined` leaves what is stored, `null` removes it.
 *
 * Fields that are missing, damaged or of another version are left out when read; the store's `merge` checks the others.
 */
export function createFieldStorage<Kept extends object>(
  memory: Memory,
  writers: FieldWriters<Kept>,
): PersistStorage<Kept> {
  const written = new Map<string, unknown>();
  const read = new Map<string, string>(); // as stored, until the field is written
  const fields = Object.keys(writers) as (keyof Kept & string)[]; // `Object.keys` forgets the names
  return {
    getItem(name) {
      const state: Partial<Kept> = {};
      for (const field of fields) {
        const text = memory.getItem(`${name}.${field}`);
        if (text === null) continue;
        read.set(field, text);
        Object.assign(state, { [field]: valueIn(text) });
      }
      return { state: state as Kept }; // unchecked: `merge` takes it as unknown
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

/** Version of what is kept. Other versions are not read: raise it when a kept value changes its shape. */
const VERSION = 1;

function valueIn(text: string): unknown {
  try {
    const kept: unknown = JSON.parse(text);
    const isCurrent = typeof kept === 'object' && kept !== null && 'version' in kept && kept.version === VERSION;
    return isCurrent && 'value' in kept ? kept.value : undefined;
  } catch {
    return undefined; // damaged
  }
}

/** Writes a field as it is. */
export function asIs(value: unknown): unknown {
  return value;
}
