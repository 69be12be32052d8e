import { createPause, type Pause } from '../../contract/pause.ts';

/**
 * The JSON of an answer, as `JSON.stringify` writes it, but in pieces: an answer may hold half a million numbers, and
 * writing them in one task would block the page.
 */
export async function jsonText(value: unknown): Promise<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const pause = createPause();
  const fields: string[] = [];
  for (const [name, entry] of Object.entries(value))
    if (entry !== undefined) fields.push(`${JSON.stringify(name)}:${await entryText(entry, pause)}`);
  return `{${fields.join(',')}}`;
}

async function entryText(entry: unknown, pause: Pause): Promise<string> {
  if (!Array.isArray(entry)) return JSON.stringify(entry);
  const pieces: string[] = [];
  for (const element of entry) {
    pieces.push(JSON.stringify(element));
    await pause();
  }
  return `[${pieces.join(',')}]`;
}

/** Digits that are enough to tell any two float32 apart. */
const MAX_DIGITS = 9;
/** Fewer need not be tried: decimals of six digits are so far apart that six digits also give a shorter one. */
const MIN_DIGITS = 6;

/** Smallest and largest power of ten between which scaling is exact enough, and the usual case. */
const [LEAST, GREATEST] = [-7, 6];
const POWERS = Array.from({ length: GREATEST - LEAST + 1 }, (_, i) => Number(`1e${LEAST + i}`));
const SCALES = Array.from({ length: MAX_DIGITS - LEAST + 1 }, (_, i) => 10 ** i);

/**
 * The shortest decimal that reads back as the same float32, as the service writes its numbers. Vectors have thousands
 * of them, so the conversion through text, ten times slower, is used for rare ones only.
 *
 * @edge a subnormal, below 1.2e-38, may have more digits than it needs
 * @source contract facts §1.1, number format
 */
export function shortest(x: number): number {
  const exponent = exponentOf(Math.abs(x));
  if (exponent === undefined) return throughText(x);
  for (let digits = MIN_DIGITS; digits < MAX_DIGITS; digits++) {
    const rounded = scaled(x, digits - 1 - exponent);
    if (Math.fround(rounded) === x) return rounded;
  }
  return scaled(x, MAX_DIGITS - 1 - exponent);
}

/** Rounded to that number of decimals. Both operands of the division are exact, so its result is the double nearest to the decimal. */
function scaled(x: number, decimals: number): number {
  const scale = SCALES[decimals] ?? 1;
  return Math.round(x * scale) / scale;
}

/** The power of ten below a magnitude; undefined outside the usual range. */
function exponentOf(magnitude: number): number | undefined {
  const above = POWERS.findIndex((power) => magnitude < power);
  return above > 0 ? LEAST + above - 1 : undefined;
}

function throughText(x: number): number {
  for (let digits = MIN_DIGITS; digits < MAX_DIGITS; digits++) {
    const rounded = Number(x.toPrecision(digits));
    if (Math.fround(rounded) === x) return rounded;
  }
  return Number(x.toPrecision(MAX_DIGITS));
}
