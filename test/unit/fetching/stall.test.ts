import { describe, expect, it, vi } from 'vitest';
import { abortOnStall } from '../../../src/fetching/fetch-file.ts';
import { download } from '../../../workers/engine/loading/download.ts';
import { holdTime } from '../../support/fakes/fake-time.ts';

/** Rejects when its signal is aborted, as a request does. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

const watch = (work: (signal: AbortSignal, onProgress: () => void) => Promise<unknown>, signal?: AbortSignal) =>
  abortOnStall('http://host/file', signal, (message) => new RangeError(message), work);

describe('abortOnStall', () => {
  holdTime();

  it('fails when nothing has come for half a minute, however long the whole takes', async () => {
    let progress = () => undefined as void;
    let aborted = false;
    const work = watch((signal, onProgress) => {
      progress = onProgress;
      return untilAborted(signal);
    }).catch((error: unknown) => {
      aborted = true;
      return error;
    });
    for (let piece = 0; piece < 10; piece++) {
      await vi.advanceTimersByTimeAsync(29_000);
      progress();
    }
    expect(aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await work).toEqual(
      new RangeError('http://host/file has sent nothing for 30 s; check the connection and try again'),
    );
  });

  it('leaves no timer when the download ends', async () => {
    expect(await watch(async () => 7)).toBe(7);
    await expect(watch(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts with the caller, which is not a stall', async () => {
    const cancelling = new AbortController();
    const work = watch(untilAborted, cancelling.signal);
    cancelling.abort();
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a download that stalls', () => {
  holdTime();

  it.each([
    ['before the first byte', () => new Promise<Response>(() => undefined)],
    ['at 100 %', async () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(4)) }))],
  ])('fails %s, with words and a reason to try again', async (_, respond) => {
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation((_url, { signal } = {}) => {
      const aborted = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      return Promise.race([respond().then((response) => abortable(response, signal)), aborted]);
    });
    const failed = download('http://localhost/model.onnx', { onBytes: () => undefined }).catch(
      (reason: unknown) => reason,
    );
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await failed).toMatchObject({
      failure: { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('sent nothing for 30 s') as string },
    });
    fetching.mockRestore();
  });
});

/** A body that fails when its request is aborted, as that of a real response does. */
function abortable(response: Response, signal: AbortSignal | null | undefined): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void response.body?.pipeTo(writable, signal ? { signal } : {}).catch(() => undefined);
  return new Response(readable);
}
