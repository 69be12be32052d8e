import { bytePart, either, type GrammarBuilder, type Part, type State } from './grammar.ts';
import { invalidSchema } from './place.ts';

/** Digits of a number: a float64 tells all numbers of so many digits apart. */
const DIGITS = 15;

/** Digits after the point of a number with bounds, unless a bound has more. */
const FRACTION = 6;

const MOST = 10n ** BigInt(DIGITS) - 1n;

/** Bounds of a schema, and where it stands. */
export interface Bounds {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
}

/**
 * Numbers within bounds, in decimal notation of at most 15 digits, without an exponent.
 *
 * @throws {FailureError} INVALID_REQUEST where no such number is within the bounds
 */
export function numberPart(bounds: Bounds, isInteger: boolean, place: string, grammar: GrammarBuilder): Part {
  const fraction = isInteger ? 0 : Math.min(DIGITS - 1, Math.max(FRACTION, ...Object.values(bounds).map(decimals)));
  const parts: Part[] = [];
  for (let after = 0; after <= fraction; after++) {
    const [low, high] = [lowest(bounds, after), highest(bounds, after)];
    const positive = [low < 0n ? 0n : low, high] as const;
    const negative = [high > -1n ? 1n : -high, -low] as const;
    if (positive[0] <= positive[1]) parts.push(digits(...positive, after, grammar));
    if (negative[0] <= negative[1])
      parts.push(grammar.sequence(grammar.words(['-']), digits(...negative, after, grammar)));
  }
  if (parts.length === 0)
    throw invalidSchema(place, `bounds with a number of at most ${DIGITS} digits`, JSON.stringify(bounds));
  return either(parts);
}

/** Digits after the point of a number. */
function decimals(value: number | undefined): number {
  return value === undefined ? 0 : Math.max(0, -decimalOf(value).exponent);
}

/** A number as digits × 10^exponent. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [, whole = '0', fraction = '', exponent = '0'] = /^(-?\d+)\.?(\d*)(?:e([+-]\d+))?$/.exec(`${value}`) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The whole numbers around value × 10^after. */
function around(value: number, after: number): readonly [floor: bigint, ceiling: bigint] {
  const { digits, exponent } = decimalOf(value);
  const shift = exponent + after;
  if (shift >= 0) return [digits * 10n ** BigInt(shift), digits * 10n ** BigInt(shift)];
  const unit = 10n ** BigInt(-shift);
  const rest = digits % unit;
  const floor = digits / unit - (rest < 0n ? 1n : 0n);
  return [floor, rest === 0n ? floor : floor + 1n];
}

/** The least number × 10^after that has so many digits after the point. */
function lowest({ minimum, exclusiveMinimum }: Bounds, after: number): bigint {
  const bounds = [-MOST];
  if (minimum !== undefined) bounds.push(around(minimum, after)[1]);
  if (exclusiveMinimum !== undefined) bounds.push(around(exclusiveMinimum, after)[0] + 1n);
  return bounds.reduce((a, b) => (a > b ? a : b));
}

function highest({ maximum, exclusiveMaximum }: Bounds, after: number): bigint {
  const bounds = [MOST];
  if (maximum !== undefined) bounds.push(around(maximum, after)[0]);
  if (exclusiveMaximum !== undefined) bounds.push(around(exclusiveMaximum, after)[1] - 1n);
  return bounds.reduce((a, b) => (a < b ? a : b));
}

/** The numbers from `low` to `high`, neither negative, with a point before their last digits. @param after  digits after the point */
function digits(low: bigint, high: bigint, after: number, { state }: GrammarBuilder): Part {
  return (from, to) => {
    const known = new Map<string, State>();
    /** The state before the last `rest` digits. @param least  what they are at least, @param most  at most; '': anything */
    const before = (least: string, most: string, rest: number): State => {
      if (rest === 0) return to;
      const key = `${least} ${most} ${rest}`;
      const made = known.get(key) ?? state();
      if (!known.has(key)) digit(pointed(made, rest), least, most, rest);
      known.set(key, made);
      return made;
    };
    const pointed = (at: State, rest: number): State => {
      if (rest !== after) return at;
      const next = state();
      bytePart([POINT, POINT])(at, next);
      return next;
    };
    const digit = (at: State, least: string, most: string, rest: number) => {
      for (const { first, last, ...bounds } of digitRanges(least, most))
        bytePart([ZERO + first, ZERO + last])(at, before(bounds.least, bounds.most, rest - 1));
    };
    const [shortest, longest] = [low, high].map((bound) => Math.max(`${bound}`.length, after + 1)) as [number, number];
    for (let width = shortest; width <= longest; width++) {
      const least = width === shortest ? `${low}`.padStart(width, '0') : `1${'0'.repeat(width - 1)}`;
      const most = width === longest ? `${high}`.padStart(width, '0') : '9'.repeat(width);
      digit(from, least, most, width);
    }
  };
}

const [ZERO, POINT] = [0x30, 0x2e];

/** The first of some digits, and what it leaves as bounds of the rest. */
function digitRanges(least: string, most: string) {
  const [first, last] = [Number(least[0] ?? 0), Number(most[0] ?? 9)];
  const [low, high] = [least.slice(1).replace(/^0+$/, ''), most.slice(1).replace(/^9+$/, '')];
  if (first === last) return [{ first, last, least: low, most: high }];
  const ranges = [{ first: first + Number(low !== ''), last: last - Number(high !== ''), least: '', most: '' }];
  if (low !== '') ranges.push({ first, last: first, least: low, most: '' });
  if (high !== '') ranges.push({ first: last, last, least: '', most: high });
  return ranges.filter((range) => range.first <= range.last);
}
