const KEY = 'lightwell.models.used';

/** A use within this time of the last noted one is not noted. */
const STEP_MS = 60_000;

/** The time of the last use of each model, stored where there is storage. @param now  milliseconds since 1970 */
export function createLastUses(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  now: () => number = () => Date.now(),
) {
  const uses = new Map(Object.entries(storedUses(storage)));
  return {
    note(name: string): void {
      const at = now();
      if (at - (uses.get(name) ?? -Infinity) < STEP_MS) return;
      uses.set(name, at);
      try {
        storage?.setItem(KEY, JSON.stringify(Object.fromEntries(uses)));
      } catch {
        // Full or forbidden: the list lasts as long as the page.
      }
    },
    /** Milliseconds since 1970, by name. */
    all: (): Readonly<Record<string, number>> => Object.fromEntries(uses),
  };
}

function storedUses(storage: Pick<Storage, 'getItem'> | null): Record<string, number> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  } catch {
    return {}; // damaged, or forbidden
  }
}
