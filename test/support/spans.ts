import type { Span } from '../../src/contract/code-points.ts';

/** Spans as pairs of start and length, for tables that stay readable. */
export function spans(...pairs: readonly (readonly [start: number, length: number])[]): Span[] {
  return pairs.map(([start, length]) => ({ start, length }));
}
