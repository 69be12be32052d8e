import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildVisionEncoder, randomVisionWeights } from '../../../../support/onnx/vision.ts';
import { imagesOnDemand } from '../../../../../workers/engine/images/image-reader.ts';
import type { Network } from '../../../../../workers/engine/network.ts';
import type { GraphFiles, Ort } from '../../../../../workers/engine/session/session.ts';

import * as ort from 'onnxruntime-web/webgpu';

const SIZES = { side: 8, patch: 4, width: 2 };
const files = { model: buildVisionEncoder(SIZES, randomVisionWeights(SIZES, 1)), external: [] };
const processor = { side: 8, filter: 'bilinear', scale: 1, mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
// Of a network only these two are asked for.
const network = { backend: { kind: 'wasm' }, shape: { width: 2 } } as unknown as Network;

/** What was done, in order; downloads fail `failures` times. */
function setUp(failures = 0, fetched: () => GraphFiles = () => files) {
  const done: string[] = [];
  const create = async () => {
    done.push('opened');
    const run = async () => ({ image_features: new ort.Tensor('float32', new Float32Array(8), [1, 4, 2]) });
    return { run, release: async () => void done.push('released') };
  };
  let left = failures;
  const encoder = async () => {
    done.push('fetched');
    if (left-- > 0) throw new TypeError('network down');
    return fetched();
  };
  const runtime = { ort: { ...ort, InferenceSession: { create } } as unknown as Ort, decode: async () => undefined };
  return { done, images: imagesOnDemand(runtime, { encoder, processor }, network) };
}

describe('imagesOnDemand', () => {
  it('fetches the encoder at once, opens it with the first picture, and only once', async () => {
    const { done, images } = setUp();
    expect(done).toEqual(['fetched']);
    const [first, second] = await Promise.all([images.open(), images.open()]);
    expect(first.tokens).toBe(4);
    expect(second).toBe(first);
    expect(done).toEqual(['fetched', 'opened']);
  });

  it('releases what was opened, and opens nothing for that', async () => {
    const { done, images } = setUp();
    await images.release();
    expect(done).toEqual(['fetched']);
    await images.open();
    await images.release();
    expect(done).toEqual(['fetched', 'opened', 'released']);
  });

  it('keeps the bytes of the encoder no longer than until it is open', async () => {
    setFlagsFromString('--expose-gc');
    const model = () => buildVisionEncoder(SIZES, randomVisionWeights(SIZES, 1));
    let bytes: WeakRef<Uint8Array> | undefined;
    const { images } = setUp(0, () => {
      const made = { model: model(), external: [] };
      bytes = new WeakRef(made.model);
      return made;
    });
    await images.open();
    await new Promise((resolve) => setTimeout(resolve)); // a WeakRef holds its target until the task ends
    runInNewContext('gc')();
    expect(bytes?.deref()).toBeUndefined();
    await images.release();
  });

  it('fetches again what failed ahead of the picture', async () => {
    const { done, images } = setUp(1);
    expect((await images.open()).tokens).toBe(4);
    expect(done).toEqual(['fetched', 'fetched', 'opened']);
  });

  it('says why it failed, and tries again with the next picture', async () => {
    const { images } = setUp(2);
    await expect(images.open()).rejects.toThrow('network down');
    expect((await images.open()).tokens).toBe(4);
  });
});
