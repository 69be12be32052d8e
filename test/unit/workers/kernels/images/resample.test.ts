import { describe, expect, it } from 'vitest';
import { normalisedPixels, resampled, type ResampleFilter } from '../../../../../workers/kernels/images/resample.ts';

const SIZE = 7;
const picture = Uint8ClampedArray.from({ length: SIZE * SIZE * 4 }, (_, i) => {
  const [y, x, channel] = [Math.floor(i / 4 / SIZE), Math.floor(i / 4) % SIZE, i % 4];
  return [(x * 37 + y * 11) % 256, (x * x * 9 + y * 50) % 256, (255 - x * 20 - y * 13) % 256, 77][channel] ?? 0;
});

/** What Pillow 12.3 makes of it: all of 3 × 3, and row 4 of 10 × 10. */
const PILLOW: Readonly<Record<ResampleFilter, readonly [small: readonly number[], row: readonly number[]]>> = {
  nearest: [
    [
      48, 59, 222, 122, 131, 182, 196, 19, 142, 70, 159, 196, 144, 231, 156, 218, 119, 116, 92, 3, 170, 166, 75, 130,
      240, 219, 90,
    ],
    [
      33, 150, 216, 70, 159, 196, 70, 159, 196, 107, 186, 176, 144, 231, 156, 144, 231, 156, 181, 38, 136, 218, 119,
      116, 218, 119, 116, 255, 218, 96,
    ],
  ],
  lanczos: [
    [
      31, 33, 234, 117, 131, 187, 212, 130, 140, 56, 171, 203, 148, 150, 156, 202, 123, 109, 79, 104, 172, 186, 96, 125,
      149, 114, 78,
    ],
    [
      27, 133, 221, 45, 133, 211, 77, 135, 194, 101, 157, 181, 128, 236, 167, 153, 209, 153, 179, 98, 139, 199, 78, 126,
      250, 171, 109, 255, 241, 99,
    ],
  ],
  bilinear: [
    [
      41, 55, 227, 120, 122, 184, 199, 124, 141, 65, 152, 199, 144, 146, 156, 196, 126, 113, 89, 107, 171, 168, 101,
      128, 156, 114, 85,
    ],
    [
      29, 133, 221, 49, 138, 210, 75, 149, 196, 101, 168, 182, 127, 198, 168, 153, 177, 154, 179, 110, 140, 205, 104,
      126, 231, 147, 112, 251, 201, 101,
    ],
  ],
  bicubic: [
    [
      35, 43, 232, 119, 128, 186, 206, 127, 140, 60, 163, 202, 146, 150, 156, 200, 125, 110, 85, 105, 172, 177, 99, 126,
      152, 112, 80,
    ],
    [
      27, 132, 222, 46, 136, 212, 75, 146, 196, 101, 166, 182, 127, 223, 168, 153, 196, 154, 179, 98, 140, 204, 90, 126,
      243, 156, 110, 255, 227, 100,
    ],
  ],
  box: [
    [
      25, 30, 239, 117, 112, 189, 210, 108, 139, 52, 155, 206, 144, 152, 156, 194, 126, 106, 80, 88, 174, 172, 106, 124,
      137, 102, 74,
    ],
    [
      33, 150, 216, 70, 159, 196, 70, 159, 196, 107, 186, 176, 144, 231, 156, 144, 231, 156, 181, 38, 136, 218, 119,
      116, 218, 119, 116, 255, 218, 96,
    ],
  ],
  hamming: [
    [
      36, 46, 230, 119, 121, 185, 202, 114, 140, 61, 157, 201, 144, 155, 156, 203, 131, 111, 86, 96, 172, 169, 100, 127,
      154, 114, 82,
    ],
    [
      31, 140, 219, 54, 146, 207, 71, 151, 197, 105, 176, 179, 135, 212, 163, 149, 194, 155, 179, 77, 139, 213, 107,
      121, 230, 147, 111, 253, 208, 99,
    ],
  ],
};

describe('resampled', () => {
  it.each(['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'] as const)(
    'gives what Pillow does, %s',
    (filter) => {
      const [small, row] = PILLOW[filter];
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
