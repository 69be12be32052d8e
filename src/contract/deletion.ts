import type { Span } from './code-points.ts';

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
