import { afterEach, expect, it, vi } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import { releaseOnError } from '../../../../../workers/engine/device/guard.ts';

afterEach(() => vi.restoreAllMocks());

it('keeps what was opened where all goes well', async () => {
  const release = vi.fn(async () => undefined);
  expect(await releaseOnError(release, async () => 7)).toBe(7);
  expect(release).not.toHaveBeenCalled();
});

it.each([new FailureError('OUT_OF_MEMORY', 'no memory'), new RangeError('no array')])(
  'releases it before it fails: %s',
  async (cause) => {
    const release = vi.fn(async () => undefined);
    await expect(releaseOnError(release, () => Promise.reject(cause))).rejects.toBe(cause);
    expect(release).toHaveBeenCalledOnce();
  },
);

it('leaves what a lost device held', async () => {
  const release = vi.fn(async () => undefined);
  const lost = new FailureError('DEVICE_LOST', 'gone');
  await expect(releaseOnError(release, () => Promise.reject(lost))).rejects.toBe(lost);
  expect(release).not.toHaveBeenCalled();
});

it('fails with the first reason, and logs why the release fails', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const first = new RangeError('no array');
  const second = new Error('not released');
  await expect(
    releaseOnError(
      () => Promise.reject(second),
      () => Promise.reject(first),
    ),
  ).rejects.toBe(first);
  expect(logged).toHaveBeenCalledExactlyOnceWith(second);
});
