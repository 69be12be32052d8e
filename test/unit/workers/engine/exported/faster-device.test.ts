import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import type { BackendKind } from '../../../../../src/protocol/model-job.ts';
import type { Network } from '../../../../../workers/engine/network.ts';
import { onFasterDevice } from '../../../../../workers/engine/exported/open-exported.ts';

interface Device {
  readonly stepMs: number;
  readonly logits?: readonly number[];
  readonly fails?: FailureError;
}

/** Opens networks on two made-up devices; what is opened and released is noted in order. */
function devices(wasm: Device, webgpu: Device) {
  const notes: string[] = [];
  const of = { wasm, webgpu };
  const open = async (kind: BackendKind) => {
    const { stepMs, logits = [1, -3], fails } = of[kind];
    if (fails) throw fails;
    notes.push(`open ${kind}`);
    const backend = { kind, threads: 1, reason: 'unchanged' };
    const release = async () => void notes.push(`release ${kind}`);
    return { network: { backend, release } as unknown as Network, logits: Float32Array.from(logits), stepMs };
  };
  return { notes, choose: () => onFasterDevice(open, 0.01, 'made up') };
}

const broken = (message: string) => new FailureError('MODEL_UNAVAILABLE', message);

describe('the device of a network that runs as it was exported', () => {
  it('is the faster one, with the figures, and never are two open at once', async () => {
    const { notes, choose } = devices({ stepMs: 9 }, { stepMs: 3, logits: [1, -3.01] });
    const { backend } = await choose();
    expect(backend.kind).toBe('webgpu');
    expect(backend.reason).toBe(
      'unchanged; WebGPU (made up) against WASM: 3.0 against 9.0 ms for a step; results differ by 0.010',
    );
    expect(notes).toEqual(['open wasm', 'release wasm', 'open webgpu']);
  });

  it('is WebAssembly where that is faster, opened again', async () => {
    const { notes, choose } = devices({ stepMs: 3 }, { stepMs: 9 });
    const { backend } = await choose();
    expect([backend.kind, backend.reason]).toEqual(['wasm', expect.stringContaining('3.0 against 9.0 ms')]);
    expect(notes).toEqual(['open wasm', 'release wasm', 'open webgpu', 'release webgpu', 'open wasm']);
  });

  it('is not a GPU that computes something else, and the numbers are said', async () => {
    const { notes, choose } = devices({ stepMs: 9 }, { stepMs: 3, logits: [1, -2] });
    const { backend } = await choose();
    expect([backend.kind, backend.reason]).toEqual([
      'wasm',
      'unchanged; WebGPU (made up) was refused: results differ by 1.0, at most 0.040',
    ]);
    expect(notes).toContain('release webgpu');
  });

  it('is the one that works', async () => {
    const fails = broken('no kernel');
    const onWasm = await devices({ stepMs: 9 }, { stepMs: 3, fails }).choose();
    expect(onWasm.backend).toMatchObject({ kind: 'wasm', reason: 'unchanged; WebGPU was refused: no kernel' });
    const onGpu = await devices({ stepMs: 9, fails }, { stepMs: 3 }).choose();
    expect(onGpu.backend).toMatchObject({ kind: 'webgpu', reason: 'unchanged; WASM was refused: no kernel' });
  });

  it('says what is wrong on both, and passes a lost device on', async () => {
    const both = devices({ stepMs: 9, fails: broken('one') }, { stepMs: 3, fails: broken('other') });
    await expect(both.choose()).rejects.toThrow('WASM: one; WebGPU: other');
    const lost = devices({ stepMs: 9 }, { stepMs: 3, fails: new FailureError('DEVICE_LOST', 'gone') });
    await expect(lost.choose()).rejects.toMatchObject({ failure: { code: 'DEVICE_LOST' } });
  });
});
