import { describe, expect, it } from 'vitest';
import { readImageProcessor } from '../../../../workers/engine/images/image-reader.ts';
import { createImageReader, type DecodedPicture } from '../../../../workers/engine/images/image-reader.ts';
import { openVisionEncoder } from '../../../../workers/engine/images/vision-encoder.ts';
import { deviceHere } from '../../../support/onnx/original.ts';
import { testRuntime } from '../../../support/onnx/place.ts';
import { buildVisionEncoder, randomVisionWeights, referenceFeatures } from '../../../support/onnx/vision.ts';
import { measured } from '../../measured.ts';
import tile from './tile.json' with { type: 'json' };

/** As `make-tile.py` draws it. */
const SIDE = 48;
const colours = Uint8ClampedArray.from({ length: 4 * SIDE ** 2 }, (_, i) => {
  const [channel, x, y] = [i % 4, Math.floor(i / 4) % SIDE, Math.floor(i / 4 / SIDE)];
  return [x * 5, y * 5, Math.floor((x * y) / 9), 255][channel] ?? 0;
});
const picture: DecodedPicture = { width: SIDE, height: SIDE, pixels: () => colours, close: () => undefined };

const SIZES = { side: 16, patch: 4, width: 8 };
const weights = randomVisionWeights(SIZES, 3);
const table = measured('A picture as SmolVLM sees the whole of it');

describe('a picture for SmolVLM', () => {
  const processor = readImageProcessor(tile.processor, {});

  it('is as large as its tiles, not as the picture that they are cut from', () => {
    expect(tile.tiles).toBe(17); // 4 × 4 of 16 × 16 pixels, and the whole
    expect(processor).toMatchObject({ side: 16, filter: 'lanczos', mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] });
  });

  // The library makes the picture larger first, so that each of its pixels was rounded twice.
  it('gives the embeddings of the tile in which the model’s own processor shows it whole', async () => {
    const { ort } = await testRuntime();
    const model = buildVisionEncoder(SIZES, weights, { parts: true });
    const encoder = await openVisionEncoder({ ort, files: { model, external: [] }, side: 16, on: await deviceHere() });
    const reader = createImageReader(async () => picture, processor, encoder, SIZES.width);
    const found = await reader.embed(picture, { x: 0, y: 0, size: SIDE });
    const pixels = Float32Array.from(tile.whole, (value) => (value / 255) * 2 - 1);
    const expected = referenceFeatures(SIZES, weights, pixels).flatMap((row) => [...row]);
    table.within('embeddings', found, expected, 2e-2);
    await reader.release();
  });
});
