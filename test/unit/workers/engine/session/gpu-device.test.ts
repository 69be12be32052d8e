import { afterEach, describe, expect, it, vi } from 'vitest';
import { openGpu } from '../../../../../workers/engine/session/gpu-device.ts';
import { holdTime } from '../../../../support/fakes/fake-time.ts';

/** A browser that answers this often that it has no adapter, and then with one. */
function browserWithLateAdapter(nulls: number) {
  let endDevice: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (endDevice = resolve));
  const adapter = {
    info: { vendor: 'acme', architecture: 'one', description: '', isFallbackAdapter: false },
    features: new Set(),
    limits: {},
    requestDevice: async () => ({ lost }),
  };
  let requests = 0;
  const requestAdapter = async () => (++requests > nulls ? adapter : null);
  vi.stubGlobal('navigator', { gpu: { requestAdapter } });
  return { requests: () => requests, endDevice };
}

describe('openGpu', () => {
  holdTime();
  afterEach(() => void vi.unstubAllGlobals());

  it('asks again while a browser that has just started has no adapter yet', async () => {
    const { requests, endDevice } = browserWithLateAdapter(2);
    const gpu = openGpu();
    await vi.advanceTimersByTimeAsync(200);
    expect((await gpu)?.description).toBe('acme one');
    expect(requests()).toBe(3);
    endDevice();
    await vi.advanceTimersByTimeAsync(0);
  });

  it('ends after two seconds, and takes a GPU that appears later', async () => {
    const { requests, endDevice } = browserWithLateAdapter(23);
    const none = openGpu();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await none).toBeUndefined();
    expect(requests()).toBe(21);
    const stillNone = openGpu();
    await vi.advanceTimersByTimeAsync(100);
    expect(await stillNone).toBeUndefined();
    expect((await openGpu())?.description).toBe('acme one');
    expect(requests()).toBe(24);
    endDevice();
    await vi.advanceTimersByTimeAsync(0);
  });

  it('finds none where the browser has no WebGPU', async () => {
    vi.stubGlobal('navigator', {});
    expect(await openGpu()).toBeUndefined();
  });
});
