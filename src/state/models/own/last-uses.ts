const KEY = 'lightwell.models.used';

/** When each model was used last. */
export interface LastUses {
  note(name: string): void;
  /** Milliseconds since 1970, by name. */
  all(): Readonly<Record<string, number>>;
}

/** A use within this time of the last one that was kept is not kept again. */
const STEP_MS = 60_000;

/**
 * Notes uses, also for later visits where there is storage.
 *
 * @param now  milliseconds since 1970
 */
export function createLastUses(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  now: () => number = () => Date.now(),
): LastUses {
  const uses = new Map(Object.entries(kept(storage)));
  return {
    note(name) {
      const at = now();
      if (at - (uses.get(name) ?? -Infinity) < STEP_MS) return;
      uses.set(name, at);
      try {
        storage?.setItem(KEY, JSON.stringify(Object.fromEntries(uses)));
      } catch {
        // A full or forbidden storage: the list holds in this tab.
      }
    },
    all: () => Object.fromEntries(uses),
  };
}

function kept(storage: Pick<Storage, 'getItem'> | null): Record<string, number> {
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
