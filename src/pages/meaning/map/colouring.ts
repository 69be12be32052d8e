import { exactText } from '../../../words/language.ts';

/** Number of distinct colours of groups; all other groups share one more. */
export const HUES = 8;
/** Number of colours of ordered values. */
export const STEPS = 8;

/** The colours of a map and their meaning. */
export interface Colouring {
  /** Colour of each text: 0 to `HUES` of a group, `HUES` for rare groups and texts without a value; above, in order, of a step. */
  readonly hues: Uint8Array;
  /** The legend; the name of rare groups is null. `label` is a short name, '' for none. */
  readonly entries: readonly {
    readonly hue: number;
    readonly name: string | null;
    readonly label: string;
    readonly size: number;
  }[];
}

/** Colours by a value of each text; the most frequent values have distinct ones. Labels are the first two of its words. */
export function colouringOf<Value>(values: readonly Value[], wordsOf: (value: Value) => readonly string[]): Colouring {
  const frequent = [...sizesOf(values)].sort(([, a], [, b]) => b - a).slice(0, HUES);
  const hueOf = new Map(frequent.map(([value], hue) => [value, hue]));
  const hues = Uint8Array.from(values, (value) => hueOf.get(value) ?? HUES);
  const entries = frequent.map(([value, size], hue) => {
    const words = wordsOf(value);
    return { hue, name: words.join(', '), label: words.slice(0, 2).join(', '), size };
  });
  const rest = values.length - frequent.reduce((sum, [, size]) => sum + size, 0);
  return { hues, entries: rest > 0 ? [...entries, { hue: HUES, name: null, label: '', size: rest }] : entries };
}

function sizesOf<Value>(values: Iterable<Value>): Map<Value, number> {
  const sizes = new Map<Value, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return sizes;
}

/** Names of values. */
interface ValueNames {
  /** Of empty cells. */
  readonly noValue: string;
  /** Of the numbers from one to below another. */
  range(from: string, to: string): string;
}

/**
 * Colours by a column of a table: in the order of its values if all are numbers or all are words of one scale, such as low and
 * high; otherwise those of `colouringOf`. Cells may be empty.
 */
export function columnColouring(cells: readonly string[], { noValue, range }: ValueNames): Colouring {
  const values = cells.map((cell) => cell.trim());
  const distinct = [...new Set(values)].filter((value) => value !== '');
  const order = orderOf(distinct, range);
  if (!order) return colouringOf(values, (value) => [value || noValue]);
  const hueAt = (place: number) => HUES + 1 + Math.round((place * (STEPS - 1)) / Math.max(1, order.length - 1));
  const hueOf = new Map(order.flatMap(({ values: those }, place) => those.map((value) => [value, hueAt(place)])));
  const hues = Uint8Array.from(values, (value) => hueOf.get(value) ?? HUES);
  const sizes = sizesOf(hues);
  const entries = order.map(({ name }, place) => {
    const size = sizes.get(hueAt(place)) ?? 0;
    return { hue: hueAt(place), name, label: size > 0 ? name : '', size };
  });
  const size = sizes.get(HUES);
  return { hues, entries: size ? [...entries, { hue: HUES, name: noValue, label: '', size }] : entries };
}

/** Values of one step; at most `STEPS` steps. */
interface Step {
  readonly name: string;
  readonly values: readonly string[];
}

/** Null where the values have no order, or there are fewer than two. */
function orderOf(values: readonly string[], range: ValueNames['range']): readonly Step[] | null {
  if (values.length < 2) return null;
  const numbers = values.map(numberOf);
  if (!numbers.some(Number.isNaN)) {
    return new Set(numbers).size > STEPS ? rangesOf(values, numbers, range) : stepsOf(values, numbers);
  }
  const words = values.map((value) => value.toLowerCase());
  const scale = SCALES.find((one) => words.every((word) => one.includes(word)));
  if (!scale) return null;
  const ranks = words.map((word) => scale.indexOf(word));
  return stepsOf(values, ranks);
}

/** NaN for other texts, among them `1,000`, of which a comma does not say what it separates. */
function numberOf(value: string): number {
  const number = Number(value.replace(/^([+-]?\d+),(?!\d{3}$)(\d+)$/, '$1.$2'));
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : NaN;
}

/** A step for each rank, in order. @param ranks  of each value */
function stepsOf(values: readonly string[], ranks: readonly number[]): Step[] {
  return [...new Set(ranks)]
    .sort((a, b) => a - b)
    .map((rank) => {
      const those = values.filter((_, index) => ranks[index] === rank);
      return { name: those[0] ?? '', values: those };
    });
}

/** Ranges of equal width, of which some may be empty. */
function rangesOf(values: readonly string[], numbers: readonly number[], range: ValueNames['range']): Step[] {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const power = 10 ** Math.max(-DIGITS, Math.floor(Math.log10((most - least) / STEPS)));
  const widths = [1, 2, 5, 10, 20].map((factor) => exact(factor * power));
  const width = widths.find((one) => rangeAt(most, one) - rangeAt(least, one) < STEPS) ?? most - least;
  const first = rangeAt(least, width);
  return Array.from({ length: rangeAt(most, width) - first + 1 }, (_, nth) => {
    const [from, to] = [first + nth, first + nth + 1].map((place) => exactText(exact(place * width)));
    const those = values.filter((__, index) => rangeAt(numbers[index] ?? NaN, width) === first + nth);
    return { name: range(from ?? '', to ?? ''), values: those };
  });
}

/** Digits of numbers that are told apart: 0.3 / 0.1 is a little less than 3. */
const DIGITS = 12;

function exact(number: number): number {
  return Number(number.toPrecision(DIGITS));
}

function rangeAt(number: number, width: number): number {
  return Math.floor(exact(number / width));
}

/** Words that have an order, in English and German, in lower case. */
const SCALES: readonly (readonly string[])[] = [
  ['none', 'very low', 'low', 'medium', 'high', 'very high', 'urgent', 'critical'],
  ['trivial', 'minor', 'moderate', 'major', 'critical', 'blocker'],
  ['xs', 's', 'm', 'l', 'xl', 'xxl'],
  ['small', 'medium', 'large'],
  ['never', 'rarely', 'sometimes', 'often', 'always'],
  ['very bad', 'bad', 'poor', 'fair', 'good', 'very good', 'excellent'],
  ['very negative', 'negative', 'neutral', 'positive', 'very positive'],
  ['very dissatisfied', 'dissatisfied', 'neutral', 'satisfied', 'very satisfied'],
  ['strongly disagree', 'disagree', 'neutral', 'agree', 'strongly agree'],
  ['keine', 'sehr niedrig', 'niedrig', 'mittel', 'hoch', 'sehr hoch', 'dringend', 'kritisch'],
  ['gering', 'mittel', 'groß'],
  ['klein', 'mittel', 'groß'],
  ['nie', 'selten', 'manchmal', 'oft', 'immer'],
  ['sehr schlecht', 'schlecht', 'mittel', 'gut', 'sehr gut'],
  ['sehr negativ', 'negativ', 'neutral', 'positiv', 'sehr positiv'],
  ['sehr unzufrieden', 'unzufrieden', 'neutral', 'zufrieden', 'sehr zufrieden'],
];

/** Colour of a hue in style sheets. */
export function hueStyle(hue: number): string {
  return `var(--group-${hue})`;
}
