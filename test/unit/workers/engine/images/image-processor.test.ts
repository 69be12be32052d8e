import { describe, expect, it } from 'vitest';
import { readImageProcessor } from '../../../../../workers/engine/images/image-reader.ts';

const whole = { size: { height: 384, width: 384 }, image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };

describe('readImageProcessor', () => {
  it.each([
    ['height and width', whole, 384],
    ['a number', { ...whole, size: 224 }, 224],
    ['a shortest edge', { ...whole, size: { shortest_edge: 336 } }, 336],
    [
      'a crop',
      { ...whole, size: { shortest_edge: 256 }, crop_size: { height: 224, width: 224 }, do_center_crop: true },
      224,
    ],
    ['a crop that is not done', { ...whole, crop_size: 224, do_center_crop: false }, 384],
    [
      'the tiles of SmolVLM, not the picture that they are cut from',
      { ...whole, size: { longest_edge: 2048 }, max_image_size: { longest_edge: 512 }, do_image_splitting: true },
      512,
    ],
    ['nothing: the encoder knows', { ...whole, size: undefined }, 96],
  ])('takes the size from %s', (_, preprocessor, side) => {
    expect(readImageProcessor(preprocessor, { vision_config: { image_size: 96 } }).side).toBe(side);
  });

  it('reads filter, scale and colours', () => {
    const given = { ...whole, resample: 2, rescale_factor: 0.5, image_mean: [1, 2, 3], image_std: [4, 5, 6] };
    expect(readImageProcessor(given, {})).toEqual({
      side: 384,
      filter: 'bilinear',
      scale: 0.5,
      mean: [1, 2, 3],
      deviation: [4, 5, 6],
    });
  });

  it('leaves pixels as they are where that is said', () => {
    const plain = readImageProcessor({ size: 8, do_rescale: false, do_normalize: false }, {});
    expect(plain).toMatchObject({ scale: 1, mean: [0, 0, 0], deviation: [1, 1, 1], filter: 'bicubic' });
  });

  it.each([
    ['no size', { ...whole, size: undefined }, /names no size/],
    ['an oblong', { ...whole, size: { height: 3, width: 4 } }, /size is not a square/],
    ['an unknown filter', { ...whole, resample: 9 }, /resample is not known: 9/],
    ['no colours', { size: 8 }, /image_mean is not known: nothing/],
    ['two channels', { ...whole, image_std: [1, 1] }, /image_std is not known/],
  ])('refuses %s', (_, preprocessor, reason) => {
    expect(() => readImageProcessor(preprocessor, {})).toThrow(reason);
  });
});
