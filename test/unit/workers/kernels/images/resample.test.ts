import { describe, expect, it } from 'vitest';
import { normalisedPixels, resampled } from '../../../../../workers/kernels/images/resample.ts';
import pillow from './pillow.json' with { type: 'json' };

const SIZE = 7;
const picture = Uint8ClampedArray.from({ length: SIZE * SIZE * 4 }, (_, i) => {
  const [y, x, channel] = [Math.floor(i / 4 / SIZE), Math.floor(i / 4) % SIZE, i % 4];
  return [(x * 37 + y * 11) % 256, (x * x * 9 + y * 50) % 256, (255 - x * 20 - y * 13) % 256, 77][channel] ?? 0;
});

describe('resampled', () => {
  // What Pillow 12.3 makes of it: all of 3 × 3, and row 4 of 10 × 10.
  it.each(['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'] as const)(
    'gives what Pillow does, %s',
    (filter) => {
      const { small, row } = pillow[filter];
      const found = [
        ...resampled(picture, { size: SIZE, side: 3, filter }),
        ...resampled(picture, { size: SIZE, side: 10, filter }).slice(120, 150),
      ];
      const differences = [...small, ...row].map((value, i) => Math.abs(value - (found[i] ?? NaN)));
      // Pillow computes with weights rounded to 22 bits: a half may fall to the other side.
      expect(Math.max(...differences)).toBeLessThanOrEqual(1);
      expect(differences.filter((difference) => difference > 0).length).toBeLessThanOrEqual(1);
    },
  );

  it('leaves a picture of the right size as it is', () => {
    const same = resampled(picture, { size: SIZE, side: SIZE, filter: 'bicubic' });
    expect([...same]).toEqual([...picture].filter((_, i) => i % 4 < 3));
  });
});

describe('normalisedPixels', () => {
  it('puts channels one behind the other, scaled and shifted', () => {
    const pixels = Uint8ClampedArray.of(0, 100, 200, 50, 150, 250);
    const scaling = { scale: 0.01, mean: [0, 1, 2], deviation: [1, 0.5, 0.25] };
    expect([...normalisedPixels(pixels, scaling)]).toEqual([0, 0.5, 0, 1, 0, 2]);
  });
});
