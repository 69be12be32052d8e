import { describe, expect, it, vi } from 'vitest';
import { download } from '../../../../../workers/engine/loading/download.ts';
import { watchForStall } from '../../../../../workers/engine/loading/stall.ts';
import { holdTime } from '../../../../support/fakes/fake-time.ts';

describe('watchForStall', () => {
  holdTime();

  it('aborts when nothing has moved for half a minute, however long the whole takes', () => {
    const watch = watchForStall();
    for (let piece = 0; piece < 10; piece++) {
      vi.advanceTimersByTime(29_000);
      watch.moved();
    }
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(30_000);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.hasStalled).toBe(true);
  });

  it('is over when the download is', () => {
    const watch = watchForStall();
    watch.end();
    vi.advanceTimersByTime(60_000);
    expect(watch.signal.aborted).toBe(false);
  });

  it('aborts with the caller, which is no stall', () => {
    const cancelling = new AbortController();
    const watch = watchForStall(cancelling.signal);
    cancelling.abort();
    expect(watch.signal.aborted).toBe(true);
    expect(watch.hasStalled).toBe(false);
    watch.end();
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
