/** The one place that converts UTF-16 offsets to the code points that spans count on the wire, and back. */

/** Replaces bytes that are not a whole character in a token's text. */
export const FRAGMENT = '\uFFFD';

/** A span of text, UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** Both directions for one text. */
export interface CodePointMap {
  /** Number of code points in the text. */
  readonly length: number;
  /** UTF-16 span → code-point span; an offset inside a surrogate pair counts as the pair's start. */
  toCodePoints(span: Span): Span;
  /** Code-point span → UTF-16 span; offsets beyond the end are clamped to it. */
  toUtf16(span: Span): Span;
}

/** Maps the offsets of `text`; texts without surrogate pairs cost nothing. */
export function codePointMap(text: string): CodePointMap {
  return /[\uD800-\uDBFF]/.test(text) ? mapped(text) : identity(text.length);
}

function identity(length: number): CodePointMap {
  const clamp = (span: Span) => convert(span, length, (offset) => offset);
  return { length, toCodePoints: clamp, toUtf16: clamp };
}

function mapped(text: string): CodePointMap {
  const pointOf = new Uint32Array(text.length + 1); // UTF-16 offset → code point
  const unitOf: number[] = []; // code point → UTF-16 offset
  let unit = 0;
  for (const character of text) {
    for (let i = 0; i < character.length; i++) pointOf[unit + i] = unitOf.length;
    unitOf.push(unit);
    unit += character.length;
  }
  const points = unitOf.length;
  pointOf[unit] = points;
  unitOf.push(unit);
  return {
    length: points,
    toCodePoints: (span) => convert(span, unit, (offset) => pointOf[offset] ?? 0),
    toUtf16: (span) => convert(span, points, (offset) => unitOf[offset] ?? 0),
  };
}

/** The span between the converted ends, which are clamped to `limit`. */
function convert({ start, length }: Span, limit: number, of: (offset: number) => number): Span {
  const from = of(Math.min(start, limit));
  return { start: from, length: of(Math.min(start + length, limit)) - from };
}

/**
 * A text without spans of it and the white space after each; where its end is removed, without that before it.
 *
 * @param units  the text in the units that spans count: its characters, or UTF-16 units
 */
export function withoutSpans(units: readonly string[], spans: readonly Span[]): string {
  const isRemoved = new Uint8Array(units.length);
  for (const { start, length } of spans) {
    isRemoved.fill(1, start, start + length);
    for (let at = start + length; /^\s$/u.test(units[at] ?? ''); at++) isRemoved[at] = 1;
  }
  const left = units.filter((_, at) => !isRemoved[at]).join('');
  return isRemoved.at(-1) ? left.trimEnd() : left;
}

/**
 * A text with another one in place of spans, once for spans with only white space between them. White space around a span and at its
 * ends stays, but where it is all of the span.
 *
 * @param spans  in order of their starts, UTF-16 units
 * @source SHAP, `maskers.Text`: `...` masks texts of models without a mask token, once with `collapse_mask_token`; LIME, `mask_string`;
 *   Captum, `baselines`
 */
export function replacedSpans(text: string, spans: readonly Span[], replacement: string): string {
  let [result, end] = ['', 0];
  for (const { start, length } of spans) {
    const span = text.slice(start, start + length);
    const inner = span.trim() || span;
    const from = start + span.indexOf(inner);
    const between = text.slice(end, from);
    if (end === 0 || between.trim() !== '') result += between + replacement;
    end = Math.max(end, from + inner.length);
  }
  return result + text.slice(end);
}
