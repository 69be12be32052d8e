import { describe, expect, it } from 'vitest';
import { buildVisionEncoder, randomVisionWeights } from '../../../../support/onnx/vision.ts';
import { openVisionEncoder } from '../../../../../workers/engine/images/vision-encoder.ts';
import type { Ort } from '../../../../../workers/engine/session/session.ts';

import * as ort from 'onnxruntime-web/webgpu';

const SIZES = { side: 8, patch: 4, width: 2 };
const files = { model: buildVisionEncoder(SIZES, randomVisionWeights(SIZES, 1)), external: [] };
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

/** ONNX Runtime whose sessions answer as `onGpu` says on WebGPU and with 1 … 8 on WebAssembly. */
function runtime(onGpu: () => number[]): { runtime: Ort; released: string[] } {
  const released: string[] = [];
  const create = async (_: Uint8Array, { executionProviders }: ort.InferenceSession.SessionOptions) => {
    const kind = executionProviders?.[0] === 'wasm' ? 'wasm' : 'webgpu';
    const run = async () => {
      const rows = kind === 'wasm' ? ROWS : onGpu();
      return { image_features: new ort.Tensor('float32', Float32Array.from(rows), [1, 4, 2]) };
    };
    return { run, release: async () => void released.push(kind) };
  };
  // A session's other members are of no concern here.
  return { runtime: { ...ort, InferenceSession: { create } } as unknown as Ort, released };
}

const device = { lost: new Promise(() => undefined) } as unknown as GPUDevice;
const open = (from: Ort) => openVisionEncoder({ ort: from, files, side: SIZES.side, on: { kind: 'webgpu', device } });
const pixels = new Float32Array(3 * SIZES.side ** 2);

describe('openVisionEncoder', () => {
  it('stays on a GPU that computes what WebAssembly does', async () => {
    const { runtime: from, released } = runtime(() => ROWS.map((value) => value + 0.001));
    const encoder = await open(from);
    expect(encoder).toMatchObject({ tokens: 4, width: 2 });
    expect(encoder.refusal).toBeUndefined();
    expect((await encoder.encode(pixels))[0]).toBeCloseTo(1.001, 5);
    expect(released).toEqual(['wasm']);
  });

  it('refuses a GPU that computes something else, with the numbers', async () => {
    const { runtime: from, released } = runtime(() => ROWS.with(2, 3.5));
    const encoder = await open(from);
    expect(encoder.refusal).toBe('WebGPU differs by 0.50, at most 0.090');
    expect([...(await encoder.encode(pixels))]).toEqual(ROWS);
    expect(released).toEqual(['webgpu']);
  });

  it('does without a GPU that cannot run it, and says why', async () => {
    const { runtime: from, released } = runtime(() => {
      throw new Error('no kernel for Conv');
    });
    const encoder = await open(from);
    expect(encoder.refusal).toMatch(/cannot run it on webgpu: .*no kernel for Conv/);
    expect([...(await encoder.encode(pixels))]).toEqual(ROWS);
    expect(released).toEqual(['webgpu']);
  });
});
