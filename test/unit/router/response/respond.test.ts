import { expect, it, vi } from 'vitest';
import type { Result } from '../../../../src/contract/failure.ts';
import type { JobProgress } from '../../../../src/protocol/messages.ts';
import { respondStreaming } from '../../../../src/router/response/respond.ts';

it('abandons the task of a reader that leaves before the last piece', async () => {
  let settle: (result: Result<string>) => void = () => {};
  const result = new Promise<Result<string>>((resolve) => (settle = resolve));
  const work = (onProgress: (progress: JobProgress) => void) => {
    onProgress({ phase: 'run', done: 1, total: 2 } as JobProgress);
    return result;
  };
  const form = { type: 'text/plain', isAlwaysUsed: true, progress: () => 'a', last: async () => 'b' };
  const abandon = vi.fn();
  const response = await respondStreaming('/complete', work, () => form, abandon);
  await response.body?.cancel();
  settle({ ok: true, value: '' });
  await expect.poll(() => abandon.mock.calls.length).toBe(2); // for the last piece, and for the end
});
