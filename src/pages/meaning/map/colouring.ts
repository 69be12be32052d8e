/** Number of distinct colours; all other groups share one more. */
export const HUES = 8;

/** The colours of a map and their meaning. */
export interface Colouring {
  /** Colour of each text, 0 to `HUES`; `HUES` for rare groups. */
  readonly hues: Uint8Array;
  /** The legend; the name of rare groups is null. */
  readonly entries: readonly { readonly hue: number; readonly name: string | null; readonly size: number }[];
}

/** Colours by a value of each text; the most frequent values have distinct ones. */
export function colouringOf<Value>(values: readonly Value[], nameOf: (value: Value) => string): Colouring {
  const sizes = new Map<Value, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const frequent = [...sizes].sort(([, a], [, b]) => b - a).slice(0, HUES);
  const hueOf = new Map(frequent.map(([value], hue) => [value, hue]));
  const hues = Uint8Array.from(values, (value) => hueOf.get(value) ?? HUES);
  const entries = frequent.map(([value, size], hue) => ({ hue, name: nameOf(value), size }));
  const rest = values.length - frequent.reduce((sum, [, size]) => sum + size, 0);
  return { hues, entries: rest > 0 ? [...entries, { hue: HUES, name: null, size: rest }] : entries };
}

/** Colour of a hue in style sheets. */
export function hueStyle(hue: number): string {
  return `var(--group-${hue})`;
}
