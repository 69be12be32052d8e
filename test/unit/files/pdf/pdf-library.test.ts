import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { restoreFunctions } from '../../../../src/files/pdf/native-functions.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { nextTask } from '../../../../src/contract/pause.ts';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';
import { FakeWorker } from '../../../support/workers/fake-worker.ts';
import { pdfOf } from '../../../support/files/pdf-file.ts';

// Later than `native-functions.ts`, which keeps what this import replaces.
// @ts-expect-error: the package has no types for its worker
const { WorkerMessageHandler } = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
restoreFunctions();

const DEATHS = 50;
/** Within which the worker dies; a reading takes some more. */
const MOST_STEPS = 40;

/** The parser of pdf.js over a channel; it dies by an error, as a worker does that runs out of memory. */
class PdfWorker extends FakeWorker {
  readonly #channel = new MessageChannel();

  constructor() {
    super();
    const { port1, port2 } = this.#channel;
    port1.onmessage = ({ data }) => void this.dispatchEvent(new MessageEvent('message', { data }));
    port2.start();
    this.postMessage.mockImplementation((message: unknown, transfer: Transferable[]) =>
      port1.postMessage(message, transfer),
    );
    this.terminate.mockImplementation(() => port1.close());
    WorkerMessageHandler.initializeFromPort(port2);
  }

  die(): void {
    this.terminate();
    this.dispatchEvent(Object.assign(new Event('error'), { message: 'killed' }));
  }
}

/** It has loaded, and then parses without end. */
class BusyWorker extends PdfWorker {
  constructor() {
    super();
    const post = this.postMessage.getMockImplementation();
    this.postMessage.mockImplementation((message: { action?: string }, transfer: Transferable[]) => {
      if (message.action !== 'GetDocRequest') post?.(message, transfer);
    });
  }
}

const file = () => pdfOf([[{ text: 'Rent', y: 700 }], [{ text: 'Deposit', y: 700 }]]);
const read = () => readPdf(file(), {});

/** The reader of a page that has loaded no parser yet. */
async function firstReader(): Promise<typeof readPdf> {
  vi.resetModules();
  return (await import('../../../../src/files/pdf/read-pdf.ts')).readPdf;
}

describe('a worker of pdf.js', () => {
  beforeEach(() => {
    vi.stubGlobal('Worker', PdfWorker);
    for (const method of ['error', 'warn', 'info'] as const)
      vi.spyOn(console, method).mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('fails a reading when it dies, at whatever moment, and the next one is right', async () => {
    const random = seededRandom(11);
    const counts = { read: 0, lost: 0 };
    for (let death = 0; death < DEATHS; death++) {
      const reading = read().then(
        () => counts.read++,
        (error: Error) => {
          expect(error).toMatchObject({ name: 'UnreadableFile', message: 'damaged: the worker was lost: killed' });
          counts.lost++;
        },
      );
      for (let step = Math.floor(random() * MOST_STEPS); step > 0; step--) await nextTask();
      if (FakeWorker.newest instanceof PdfWorker) FakeWorker.newest.die();
      await reading;
      expect(await read()).toMatchObject({ text: 'Rent\n\nDeposit' });
    }
    expect(counts.read + counts.lost).toBe(DEATHS);
    expect(Math.min(counts.read, counts.lost), JSON.stringify(counts)).toBeGreaterThan(3);
  });

  it('reads the next file, and ends after half a minute without one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await read();
    const worker = FakeWorker.newest;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await read()).toMatchObject({ text: 'Rent\n\nDeposit' });
    expect(FakeWorker.newest).toBe(worker);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(worker?.terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(worker?.terminate).toHaveBeenCalled();
    await read();
    expect(FakeWorker.newest).not.toBe(worker);
  });

  it('reads several files at a time with one worker each, and is not kept if it died', async () => {
    await Promise.all([read(), read()]);
    const kept = FakeWorker.newest;
    if (kept instanceof PdfWorker) kept.die();
    expect(await Promise.all([read(), read()])).toHaveLength(2);
  });

  it('fails a reading when it is ended before it has sent anything', async () => {
    const readFirst = await firstReader();
    vi.useFakeTimers();
    vi.stubGlobal('Worker', FakeWorker);
    const outcome = readFirst(file(), {}).catch(String);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(FakeWorker.newest?.terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toBe('UnreadableFile: damaged: the worker was lost: it did not start');
    expect(FakeWorker.newest?.terminate).toHaveBeenCalled();
  });

  it('may take longer than a minute to load for the first time', async () => {
    const readFirst = await firstReader();
    vi.useFakeTimers();
    vi.stubGlobal('Worker', FakeWorker);
    const aborting = new AbortController();
    const outcome = readFirst(pdfOf([[]]), { signal: aborting.signal }).catch(String);
    await vi.advanceTimersByTimeAsync(1);
    FakeWorker.newest?.dispatchEvent(new MessageEvent('message', { data: { type: 'alive' } }));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(FakeWorker.newest?.terminate).not.toHaveBeenCalled();
    aborting.abort(new DOMException('enough', 'AbortError'));
    expect(await outcome).toBe('AbortError: enough');
  });

  it('ends a file that takes too long', async () => {
    vi.stubGlobal('Worker', BusyWorker);
    const readFirst = await firstReader();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const failed = readFirst(file(), {}).catch((error: unknown) => error);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await failed).toMatchObject({ problem: 'too_slow' });
      expect(FakeWorker.newest?.terminate).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends at once when it is aborted', async () => {
    const aborting = new AbortController();
    const onProgress = () => aborting.abort(new DOMException('enough', 'AbortError'));
    const reading = readPdf(file(), { signal: aborting.signal, onProgress });
    await expect(reading).rejects.toThrow('enough');
    expect(FakeWorker.newest?.terminate).toHaveBeenCalled();
  });
});
