import { describe, expect, it } from 'vitest';
import { createImageReader } from '../../../workers/engine/images/image-reader.ts';
import { openVisionEncoder } from '../../../workers/engine/images/vision-encoder.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { deviceHere } from '../../support/onnx/original.ts';
import { testRuntime } from '../../support/onnx/place.ts';
import { buildVisionEncoder, randomVisionWeights, referenceFeatures } from '../../support/onnx/vision.ts';
import { SMALL_SIZES, randomWeights } from '../../support/onnx/decoder-weights.ts';
import { measured } from '../measured.ts';

const SIZES = { side: 24, patch: 4, width: 16 };
const weights = randomVisionWeights(SIZES, 3);
const pixels = Float32Array.from({ length: 3 * SIZES.side ** 2 }, (_, i) => Math.cos(i * 0.37));
const table = measured('Image encoders against the formula');

const open = async (model: Uint8Array) => {
  const { ort } = await testRuntime();
  return openVisionEncoder({ ort, files: { model, external: [] }, side: SIZES.side, on: await deviceHere() });
};

describe('an image encoder', () => {
  it.each([
    ['whole pictures', { parts: false }],
    ['parts of pictures with a mask', { parts: true }],
  ])('that takes %s gives one row for each patch', async (name, options) => {
    const encoder = await open(buildVisionEncoder(SIZES, weights, options));
    expect(encoder).toMatchObject({ tokens: 36, width: 16 });
    const expected = referenceFeatures(SIZES, weights, pixels).flatMap((row) => [...row]);
    table.within(name, await encoder.encode(pixels), expected, 1e-5);
    expect(encoder.refusal).toBeUndefined();
    await encoder.release();
  });

  it('that takes words is refused', async () => {
    const sizes = { ...SMALL_SIZES, layers: 1 };
    const opened = open(buildDecoder(sizes, randomWeights(sizes, 1)));
    await expect(opened).rejects.toMatchObject({
      failure: {
        code: 'MODEL_UNAVAILABLE',
        message: expect.stringMatching(/^vision_encoder: input "input_ids" is not known/),
      },
    });
  });

  it('that takes pictures of another size is refused', async () => {
    const { ort } = await testRuntime();
    const files = { model: buildVisionEncoder(SIZES, weights), external: [] };
    const opened = openVisionEncoder({ ort, files, side: 32, on: { kind: 'wasm' } });
    await expect(opened).rejects.toMatchObject({
      failure: {
        code: 'MODEL_UNAVAILABLE',
        message: expect.stringMatching(/^vision_encoder: ONNX Runtime cannot run it on wasm/),
      },
    });
  });

  it('of another width than the network is refused', async () => {
    const encoder = await open(buildVisionEncoder(SIZES, weights));
    const decode = async () => undefined;
    const processor = { side: 24, filter: 'bicubic', scale: 1, mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
    expect(() => createImageReader(decode, processor, encoder, 32)).toThrow(/expected embeddings 32 wide.*got 16/);
    await encoder.release();
  });
});
