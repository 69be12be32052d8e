import { either, type GrammarBuilder, type Part } from './grammar.ts';
import { invalidSchema } from './place.ts';

/** Digits of a number: a float64 tells all numbers of so many digits apart. */
const DIGITS = 15;

/** Digits after the point of a number with bounds, unless a bound has more. */
const FRACTION = 6;

/** The keywords of bounds. */
export const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/** Bounds of a schema. */
export type Bounds = Readonly<Partial<Record<(typeof BOUNDS)[number], number>>>;

/**
 * Numbers within bounds, in decimal notation of at most 15 digits, without an exponent.
 *
 * @throws {FailureError} INVALID_REQUEST where no such number is within the bounds
 */
export function numberPart(bounds: Bounds, isInteger: boolean, place: string, grammar: GrammarBuilder): Part {
  const decimals = Object.values(bounds).map((value) => -decimalOf(value).exponent);
  const fraction = isInteger ? 0 : Math.min(DIGITS - 1, Math.max(FRACTION, ...decimals));
  const { minimum = -Infinity, maximum = Infinity } = bounds;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = bounds;
  const minus = grammar.words(['-']);
  const parts: Part[] = [];
  for (let after = 0; after <= fraction; after++) {
    const low = lowest(minimum, exclusiveMinimum, after);
    const high = -lowest(-maximum, -exclusiveMaximum, after);
    parts.push(...digits(low, high, after, grammar));
    parts.push(...digits(larger(1n, -high), -low, after, grammar).map((part) => grammar.sequence(minus, part)));
  }
  if (parts.length === 0)
    throw invalidSchema(place, `bounds with a number of at most ${DIGITS} digits`, JSON.stringify(bounds));
  return either(parts);
}

function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [, whole = '0', fraction = '', exponent = '0'] = /^(-?\d+)\.?(\d*)(?:e([+-]\d+))?$/.exec(`${value}`) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The least whole number that is not below value × 10^after. */
function ceiling(value: number, after: number): bigint {
  const { digits, exponent } = decimalOf(value);
  const shift = exponent + after;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  return digits / unit + (digits % unit > 0n ? 1n : 0n);
}

/** The least number × 10^after that has so many digits after the point. */
function lowest(minimum: number, exclusive: number, after: number): bigint {
  const bounds = [1n - 10n ** BigInt(DIGITS)];
  if (minimum > -Infinity) bounds.push(ceiling(minimum, after));
  if (exclusive > -Infinity) bounds.push(1n - ceiling(-exclusive, after));
  return bounds.reduce(larger);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

const utf8 = new TextEncoder();

/** The numbers from `low` to `high` that are not negative, by how many digits they have. @param after  digits after the point */
function digits(low: bigint, high: bigint, after: number, { between }: GrammarBuilder): Part[] {
  const written = (value: bigint) => {
    const text = `${value}`.padStart(after + 1, '0');
    return utf8.encode(after === 0 ? text : `${text.slice(0, -after)}.${text.slice(-after)}`);
  };
  const parts: Part[] = [];
  for (let width = after + 1; width <= DIGITS; width++) {
    const most = 10n ** BigInt(width) - 1n;
    const first = larger(low, width === after + 1 ? 0n : 10n ** BigInt(width - 1));
    const last = -larger(-high, -most);
    const least = written(most).map((byte) => Math.min(byte, 0x30)); // zeros, and the point, which is below them
    if (first <= last) parts.push(between(written(first), written(last), least, written(most)));
  }
  return parts;
}
