import { expect, it } from 'vitest';
import { openNetwork } from '../../workers/engine/open-network.ts';
import { readNetworkConfig } from '../../workers/engine/network-config.ts';
import { openGpu } from '../../workers/engine/gpu-device.ts';
import { fileBytes, place, testRuntime } from '../support/onnx-place.ts';
it('opens', async () => {
  const { ort, threads, threadReason } = await testRuntime();
  const gpu = place.backend === 'webgpu' ? await openGpu() : undefined;
  console.log(place, threads, threadReason, gpu?.description, gpu?.isSoftware, gpu && [...gpu.device.features]);
  const model = await fileBytes(`${place.data}/graphs/opt-llama/model.onnx`);
  const t = performance.now();
  const network = await openNetwork({ ort, files: { model, external: [] }, config: readNetworkConfig({}), on: gpu ? { kind: 'webgpu', device: gpu.device } : { kind: 'wasm' }, backend: { kind: 'wasm', threads, reason: '' } });
  const t1 = performance.now();
  const a = await network.run({ batch: 1, ids: Int32Array.of(1, 2, 3), rows: Int32Array.of(2), logits: true });
  console.log(network.shape, t1 - t, performance.now() - t1, a.logits?.slice(0, 4));
  expect(a.logits?.length).toBe(128);
});
