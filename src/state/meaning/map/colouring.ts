/** Colours that are told apart; what has no colour of its own gets the one behind them. */
export const HUES = 8;

/** What the colours of a map stand for. */
export interface Colouring {
  /** Colour of each text, 0 to `HUES`; `HUES` for all that is rare. */
  readonly hues: Uint8Array;
  readonly entries: readonly ColourEntry[];
}

/** A line of the legend. */
export interface ColourEntry {
  readonly hue: number;
  /** Null: all that is rare. */
  readonly name: string | null;
  readonly size: number;
}

/** Colours by group: the largest ones get their own. @param names `[groups]` */
export function colouringOfGroups(labels: Int32Array, names: readonly string[]): Colouring {
  return colouringOf(
    Array.from(labels, (label) => label),
    (label) => names[label] ?? '',
  );
}

/** Colours by the values of a column: the most frequent ones get their own. */
export function colouringOfColumn(values: readonly string[]): Colouring {
  return colouringOf(values, (value) => value);
}

function colouringOf<Value>(values: readonly Value[], nameOf: (value: Value) => string): Colouring {
  const sizes = new Map<Value, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const frequent = [...sizes].sort(([, a], [, b]) => b - a).slice(0, HUES);
  const hueOf = new Map(frequent.map(([value], hue) => [value, hue]));
  const hues = Uint8Array.from(values, (value) => hueOf.get(value) ?? HUES);
  const entries = frequent.map(([value, size], hue): ColourEntry => ({ hue, name: nameOf(value), size }));
  const rest = values.length - frequent.reduce((sum, [, size]) => sum + size, 0);
  return { hues, entries: rest > 0 ? [...entries, { hue: HUES, name: null, size: rest }] : entries };
}
