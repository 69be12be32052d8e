import { describe, expect, it } from 'vitest';
import { fasterOf } from '../../../workers/engine/session/faster-device.ts';
import { openCandidate, openOnBestBackend } from '../../../workers/engine/session/open-network.ts';
import type { SessionDevice } from '../../../workers/engine/session/session.ts';
import { planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';
import type { PassCosts } from '../../../workers/kernels/batch-plan.ts';
import { greedyContinuation } from '../../../workers/operations/complete/continuation.ts';
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
    expect(network.backend.reason).toMatch(/against [\d.]+ ms for 2000 positions; results differ by [\de.-]+/);
    await network.release();
  });

  it('computes batches, and WebAssembly writes meanwhile, where each takes less time', async () => {
    const [options, gpu] = [{ runtime: await testRuntime(), files, config }, await openGpu()];
    if (gpu === undefined) throw new Error('expected an adapter');
    const open = async (on: SessionDevice, costs: PassCosts) => ({
      ...(await openCandidate(options, planNetwork(files.model, config), on)).network,
      costs,
    });
    const wasm = await open({ kind: 'wasm' }, { passMs: 1, positionMs: 1, memoryBytes: 1e6 });
    const webgpu = await open(
      { kind: 'webgpu', device: gpu.device },
      { passMs: 9, positionMs: 1e-4, memoryBytes: 1e6 },
    );
    const { network } = await fasterOf({ wasm, webgpu, description: 'tried' }, 1);
    const beginning = { ids: [3, 5, 7], embeddingOverrides: [], factors: undefined, mode: 'additive' } as const;
    const limits = { maximumTokens: 6, isEnd: () => false };
    const batch = { batch: 2, ids: Int32Array.from([3, 5, 7]), sameIds: true, targets: Int32Array.of(4) };
    const [written, { logProbabilities }] = await Promise.all([
      greedyContinuation(network, beginning, limits),
      network.run(batch),
    ]);
    expect(network.backend.kind).toBe('webgpu');
    expect(written.map(({ id }) => id)).toEqual(
      (await greedyContinuation(wasm, beginning, limits)).map(({ id }) => id),
    );
    const expected = (await wasm.run(batch)).logProbabilities ?? [];
    expect([...(logProbabilities ?? [])].map((value, at) => value - (expected[at] ?? NaN))).toEqual([
      expect.closeTo(0, 4),
      expect.closeTo(0, 4),
    ]);
    await network.release();
  });

  it('computes with primitives where fused operators are refused, and says so', async () => {
    const { ort, ...runtime } = await testRuntime();
    const create: typeof ort.InferenceSession.create = async (
      ...given: Parameters<typeof ort.InferenceSession.create>
    ) => {
      if (new TextDecoder('latin1').decode(given[0] as Uint8Array).includes('QuickGelu'))
        throw new Error('no such kernel');
      return ort.InferenceSession.create(...given);
    };
    const refusing = { ...ort, InferenceSession: { ...ort.InferenceSession, create } };
    const options = { runtime: { ...runtime, ort: refusing }, files, config, backend: 'webgpu' } as const;
    const network = await openOnBestBackend(options);
    expect(network.backend.reason).toMatch(/self-test within .*; fused operators were refused: .*no such kernel/);
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
