import { describe, expect, it } from 'vitest';
import { bidiIsolated } from '../../../src/figures/texts.ts';

describe('isolated', () => {
  it.each(['שלום', 'القاهرة', 'in القاهرة', 'ߒ', '𞤀', '\uFEFB'])('sets %s apart', (text) =>
    expect(bidiIsolated(text)).toBe(`\u2068${text}\u2069`),
  );
  it.each(['red', 'Köln', '東京', 'दिल्ली', 'Привет', '👩‍👧', ''])('leaves %s as it is', (text) =>
    expect(bidiIsolated(text)).toBe(text),
  );
});
