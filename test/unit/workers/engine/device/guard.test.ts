import { describe, expect, it, vi } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import { guardOf } from '../../../../../workers/engine/device/guard.ts';
import { holdTime } from '../../../../support/fakes/fake-time.ts';

/** A GPU that is lost when the test says so. */
function createGpu() {
  let lose: () => void = () => undefined;
  const lost = new Promise<GPUDeviceLostInfo>((resolve) => {
    lose = () => resolve({ reason: 'destroyed', message: 'the test took it' } as GPUDeviceLostInfo);
  });
  return { lost, lose };
}

const LOST = { failure: { code: 'DEVICE_LOST', message: 'the GPU was lost (destroyed): the test took it' } };
const never = new Promise<never>(() => undefined);

describe('guardOf a GPU', () => {
  holdTime();

  it('hands on what a pass gives', async () => {
    expect(await guardOf(createGpu())(async () => 7)).toBe(7);
  });

  it('settles a pass that never settles by itself', async () => {
    const gpu = createGpu();
    const passing = guardOf(gpu)(() => never);
    gpu.lose();
    await expect(passing).rejects.toMatchObject(LOST);
  });

  it.each([
    ['ONNX Runtime’s own error', new Error('mapAsync failed')],
    ['a session that could not be opened', new FailureError('MODEL_UNAVAILABLE', 'cannot open')],
    ['memory that was lost with it', new Error('out of memory')],
  ])('calls %s DEVICE_LOST when the loss is announced after it', async (_, error) => {
    const gpu = createGpu();
    const passing = guardOf(gpu)(() => Promise.reject(error));
    const failed = passing.catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(500);
    gpu.lose();
    expect(await failed).toMatchObject(LOST);
  });

  it('hands on the error of a pass whose device is still there', async () => {
    const passing = guardOf(createGpu())(() => Promise.reject(new TypeError('a defect')));
    const failed = passing.catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await failed).toEqual(new TypeError('a defect'));
  });

  it('starts no pass on a lost device', async () => {
    const gpu = createGpu();
    const guard = guardOf(gpu);
    gpu.lose();
    await vi.advanceTimersByTimeAsync(0);
    const pass = vi.fn(async () => 7);
    await expect(guard(pass)).rejects.toMatchObject(LOST);
    expect(pass).not.toHaveBeenCalled();
  });
});

describe('guardOf WebAssembly', () => {
  const guard = guardOf(null);

  it('calls a trap DEVICE_LOST: the instance cannot go on', async () => {
    const trap = new WebAssembly.RuntimeError('memory access out of bounds');
    await expect(guard(() => Promise.reject(trap))).rejects.toMatchObject({
      failure: { code: 'DEVICE_LOST', message: 'WebAssembly broke off: memory access out of bounds' },
    });
  });

  it('calls memory that cannot be had OUT_OF_MEMORY', async () => {
    const refused = guard(() => Promise.reject(new Error('std::bad_alloc')));
    await expect(refused).rejects.toMatchObject({ failure: { code: 'OUT_OF_MEMORY' } });
  });

  it('hands anything else on', async () => {
    await expect(guard(() => Promise.reject(new TypeError('a defect')))).rejects.toThrow(TypeError);
  });
});
