import { describe, expect, it } from 'vitest';
import { openOnBestBackend } from '../../../workers/engine/session/open-network.ts';
import { openGpu, type Gpu } from '../../../workers/engine/session/gpu-device.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { place, testRuntime } from '../../support/onnx/place.ts';

const SIZES = { ...SMALL_SIZES, layers: 1 };
const files = { model: buildDecoder(SIZES, randomWeights(SIZES, 5)), external: [] };
const config = readNetworkConfig(undefined);

describe('the choice of a backend', () => {
  it('is WASM where there is no GPU, and says so', async () => {
    const network = await openOnBestBackend({
      runtime: await testRuntime(),
      files,
      config,
      findGpu: async () => undefined,
    });
    expect(network.backend.kind).toBe('wasm');
    expect(network.backend.reason).toMatch(/^no WebGPU here; 40 tokens in [\d.]+ ms, self-test within .*\(/);
    await network.release();
  });

  it('refuses WebGPU where there is none', async () => {
    const asked = openOnBestBackend({
      runtime: await testRuntime(),
      files,
      config,
      backend: 'webgpu',
      findGpu: async () => undefined,
    });
    await expect(asked).rejects.toThrow(/WebGPU was asked for/);
  });
});

// These need an adapter.
describe.skipIf(place.backend === 'wasm')('WebGPU', () => {
  it('is not chosen when it is software', async () => {
    const network = await openOnBestBackend({ runtime: await testRuntime(), files, config });
    expect((await openGpu())?.isSoftware).toBe(true);
    expect(network.backend.kind).toBe('wasm');
    expect(network.backend.reason).toMatch(/the only GPU is software/);
    await network.release();
  });

  it('is measured against WASM, and refused with the numbers when it is slower', async () => {
    const asHardware = async (): Promise<Gpu | undefined> => {
      const gpu = await openGpu();
      return gpu && { ...gpu, isSoftware: false };
    };
    const network = await openOnBestBackend({ runtime: await testRuntime(), files, config, findGpu: asHardware });
    console.log(network.backend.reason);
    expect(network.backend.reason).toMatch(/against [\d.]+ ms for 40 tokens; results differ by [\de.-]+/);
    await network.release();
  });

  it('settles runs whose device is lost, and finds another device', async () => {
    const network = await openHere(files.model);
    const lost = await openGpu();
    const ask = (tokens: number) => network.run({ batch: 1, ids: new Int32Array(tokens).fill(3), logits: true });
    const running = ask(200);
    lost?.device.destroy();
    await expect(running).rejects.toMatchObject({ failure: { code: 'DEVICE_LOST' } });
    await expect(ask(1)).rejects.toMatchObject({ failure: { code: 'DEVICE_LOST' } });
    const next = await openGpu();
    expect(next?.device).not.toBe(lost?.device);
  });
});
