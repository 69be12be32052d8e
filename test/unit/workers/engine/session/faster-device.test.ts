import { describe, expect, it } from 'vitest';
import type { PassCosts } from '../../../../../workers/kernels/batch-plan.ts';
import type { Network } from '../../../../../workers/engine/network.ts';
import { fasterOf } from '../../../../../workers/engine/session/faster-device.ts';

/** A network on two made-up devices; what is released is noted in order. */
function onBoth(wasm: Partial<PassCosts>, webgpu: Partial<PassCosts>, vocabulary = 10) {
  const released: string[] = [];
  const of = (kind: 'wasm' | 'webgpu', costs: Partial<PassCosts>) =>
    ({
      backend: { kind, threads: 1, reason: '' },
      shape: { vocabulary },
      costs: { passMs: 2, positionMs: 0.1, memoryBytes: 1, ...costs },
      release: async () => void released.push(kind),
    }) as unknown as Network;
  return { released, wasm: of('wasm', wasm), webgpu: of('webgpu', webgpu), description: 'made up' };
}

const CARD = { passMs: 19, positionMs: 0.0005 };

describe('the device of a network that runs on both', () => {
  it('is the GPU where a batch takes less time there, and WebAssembly writes where a token takes less time there', async () => {
    const both = onBoth({}, CARD);
    const { network, reason } = await fasterOf(both, 1_000);
    expect([network.backend.kind, network.writer]).toEqual(['webgpu', both.wasm]);
    expect(reason).toBe(
      'WebGPU (made up) against WASM: 20.0 against 202.0 ms for 2000 positions; WASM writes: 2.1 against 19.0 ms for a token',
    );
    expect(both.released).toEqual([]);
    await network.release();
    expect(both.released).toEqual(['wasm', 'webgpu']);
  });

  it('is WebAssembly alone where a batch takes less time there', async () => {
    const both = onBoth({}, { passMs: 300, positionMs: 0.001 });
    const { network, reason } = await fasterOf(both, 1_000);
    expect([network, network.writer, both.released]).toEqual([both.wasm, undefined, ['webgpu']]);
    expect(reason).toBe('WASM against WebGPU (made up): 202.0 against 302.0 ms for 2000 positions');
  });

  it.each([
    ['a token takes less time on the GPU too', onBoth({ passMs: 50 }, CARD), 1_000],
    ['the network writes nothing', onBoth({}, CARD, 0), 1_000],
    ['its weights are too large to be held twice', onBoth({}, CARD), 2 ** 30],
  ])('is the GPU alone where %s', async (_, both, bytes) => {
    const { network, reason } = await fasterOf(both, bytes);
    expect([network.backend.kind, network.writer, both.released]).toEqual(['webgpu', undefined, ['wasm']]);
    expect(reason).not.toContain('writes');
  });
});
