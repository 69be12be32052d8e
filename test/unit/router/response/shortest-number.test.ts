import { describe, expect, it } from 'vitest';
import { shortest } from '../../../../src/router/response/respond.ts';
import { seededRandom } from '../../../support/onnx/decoder-weights.ts';

/** By trying every number of digits. */
function bySearch(x: number): number {
  for (let digits = 1; digits < 9; digits++)
    if (Math.fround(Number(x.toPrecision(digits))) === x) return Number(x.toPrecision(digits));
  return Number(x.toPrecision(9));
}

describe('shortest', () => {
  const random = seededRandom(7);
  const usual = Array.from({ length: 20_000 }, () => Math.fround((random() - 0.5) * 10 ** (random() * 14 - 8)));
  const edges = Array.from({ length: 24 }, (_, i) => Math.fround(10 ** (i - 12))).flatMap((x) => [
    x,
    -x,
    x * 1.0000001,
  ]);
  const odd = [0, 1, -1, 0.1, 1 / 3, 16_777_216, 3.4e38].map(Math.fround);

  it('reads back as the same float32, and no decimal with fewer digits does', () => {
    for (const x of [...usual, ...edges.map(Math.fround), ...odd]) {
      expect(Math.fround(shortest(x))).toBe(x);
      expect(String(shortest(x)).length, `${x}`).toBeLessThanOrEqual(String(bySearch(x)).length);
    }
  });

  it('writes what the service writes', () => {
    expect(String(shortest(Math.fround(1 / 3)))).toBe('0.33333334');
    expect(String(shortest(Math.fround(-0.018676758)))).toBe('-0.018676758');
  });
});
