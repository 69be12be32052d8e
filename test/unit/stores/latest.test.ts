import { describe, expect, it, vi } from 'vitest';
import { createLatest } from '../../../src/stores/latest-request.ts';
import { holdTime } from '../../support/fakes/fake-time.ts';

const GRACE_MS = 250;

/** A request that the test answers. */
interface Running {
  readonly value: number;
  readonly signal: AbortSignal;
  tell(news: string): void;
  answer(text: string): void;
  fail(): void;
}

/** Requests that the test answers; with `obeys: false` an abort is not heard, as where an answer is on its way already. */
function setUp({ graceMs = 0, obeys = true } = {}) {
  const running: Running[] = [];
  const results: (readonly [value: number, result: string | null])[] = [];
  const news: string[] = [];
  const latest = createLatest({ graceMs });
  const ask = (value: number) => {
    const result = latest.run<string, [string]>({
      request: ({ signal, onProgress }) =>
        new Promise((answer, fail) => {
          running.push({ value, signal, tell: onProgress, answer, fail: () => fail(new Error('broken')) });
          if (obeys) signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
        }),
      onProgress: (text) => news.push(text),
      onError: (error) => `problem: ${error instanceof Error ? error.message : ''}`,
    });
    void result.then((text) => results.push([value, text]));
  };
  return { latest, ask, running, results, news, values: () => running.map(({ value }) => value) };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the latest request', () => {
  holdTime();

  it('gives its answer, and tells of its progress', async () => {
    const { ask, running, results, news } = setUp();
    ask(1);
    running[0]?.tell('half');
    running[0]?.answer('one');
    await settled();
    expect([news, results]).toEqual([['half'], [[1, 'one']]]);
  });

  it('turns an error into a value, also where it is thrown at once', async () => {
    const { ask, running, results, latest } = setUp();
    ask(1);
    running[0]?.fail();
    await settled();
    expect(results).toEqual([[1, 'problem: broken']]);
    const request = (): Promise<string> => {
      throw new Error('at once');
    };
    expect(await latest.run({ request, onError: String })).toBe('Error: at once');
  });

  it('waits for what an error comes to, and drops it once it is aborted', async () => {
    const { latest } = setUp();
    const request = () => Promise.reject(new Error('broken'));
    expect(await latest.run({ request, onError: async () => 'later' })).toBe('later');
    const dropped = latest.run({
      request,
      async onError() {
        latest.cancel();
        return 'later';
      },
    });
    expect(await dropped).toBeNull();
  });

  it.each([true, false])('aborts the one before, of which nothing is heard again (obeys: %s)', async (obeys) => {
    const { ask, running, results, news, values } = setUp({ obeys });
    ask(1);
    ask(2);
    expect(values()).toEqual([1, 2]);
    expect(running.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    running[0]?.tell('late');
    running[0]?.answer('one');
    running[1]?.answer('two');
    await settled();
    expect([news, results]).toEqual([
      [],
      expect.arrayContaining([
        [1, null],
        [2, 'two'],
      ]),
    ]);
  });

  it('is dropped by a cancel, after which another one can be made', async () => {
    const { latest, ask, running, results } = setUp();
    ask(1);
    latest.cancel();
    expect(running[0]?.signal.aborted).toBe(true);
    ask(2);
    running[1]?.answer('two');
    await settled();
    expect(results).toEqual([
      [1, null],
      [2, 'two'],
    ]);
  });
});

describe('the latest request with a grace', () => {
  holdTime();

  it('waits for the one before, which still gives its answer; those between are never made', async () => {
    const { ask, running, results, values } = setUp({ graceMs: GRACE_MS });
    for (const value of [1, 2, 3, 4]) ask(value);
    expect(values()).toEqual([1]);
    running[0]?.answer('one');
    await settled();
    expect(values()).toEqual([1, 4]);
    running[1]?.answer('four');
    await settled();
    expect(results).toEqual(
      expect.arrayContaining([
        [1, 'one'],
        [2, null],
        [3, null],
        [4, 'four'],
      ]),
    );
  });

  it('aborts one that takes longer than its grace, however often a newer one comes', async () => {
    const { ask, running, values } = setUp({ graceMs: GRACE_MS });
    ask(1);
    ask(2);
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    ask(3);
    expect(running[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(running[0]?.signal.aborted).toBe(true);
    expect(values()).toEqual([1, 3]);
    await vi.advanceTimersByTimeAsync(10 * GRACE_MS);
    expect(running[1]?.signal.aborted).toBe(false); // nothing newer waits
  });

  it('gives each request a grace of its own', async () => {
    const { ask, running } = setUp({ graceMs: GRACE_MS });
    ask(1);
    ask(2);
    running[0]?.answer('one');
    await settled();
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(running[1]?.signal.aborted).toBe(false);
  });

  it('is not made beside an aborted one that is still on its way', async () => {
    const { ask, running, results, values } = setUp({ graceMs: GRACE_MS, obeys: false });
    ask(1);
    ask(2);
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect([running[0]?.signal.aborted, values()]).toEqual([true, [1]]);
    running[0]?.answer('one');
    await settled();
    expect([values(), results]).toEqual([[1, 2], [[1, null]]]);
  });

  it('forgets what waits at a cancel, and can be asked again', async () => {
    const { latest, ask, running, results, values } = setUp({ graceMs: GRACE_MS });
    ask(1);
    ask(2);
    latest.cancel();
    await settled();
    expect([running[0]?.signal.aborted, values()]).toEqual([true, [1]]);
    expect(results).toEqual(
      expect.arrayContaining([
        [1, null],
        [2, null],
      ]),
    );
    ask(3);
    expect(values()).toEqual([1, 3]);
  });
});
