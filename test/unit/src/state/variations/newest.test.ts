import { describe, expect, it, vi } from 'vitest';
import { createNewest, GRACE_MS } from '../../../../../src/state/variations/newest.ts';
import { holdTime } from '../../../../support/fakes/fake-time.ts';

/** Requests that the test answers; with `obeys: false` an abort is not heard, as where an answer is on its way already. */
function setUp({ obeys = true } = {}) {
  const running: { value: number; signal: AbortSignal; answer(text: string): void; fail(): void }[] = [];
  const heard: (readonly [answer: string, isNewest: boolean])[] = [];
  const errors: unknown[] = [];
  const newest = createNewest<number, string>({
    request: (value, signal) =>
      new Promise((answer, fail) => {
        running.push({ value, signal, answer, fail: () => fail(new Error('broken')) });
        if (obeys) signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
      }),
    onAnswer: (answer, isNewest) => heard.push([answer, isNewest]),
    onError: (error) => errors.push(error),
  });
  const values = () => running.map(({ value }) => value);
  return { newest, running, heard, errors, values };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the newest value', () => {
  holdTime();

  it('is asked at once where nothing runs', async () => {
    const { newest, running, heard, values } = setUp();
    newest.ask(1);
    expect(values()).toEqual([1]);
    running[0]?.answer('one');
    await settled();
    expect(heard).toEqual([['one', true]]);
  });

  it('waits for the request before, and those between are never asked', async () => {
    const { newest, running, heard, values } = setUp();
    for (const value of [1, 2, 3, 4]) newest.ask(value);
    expect(values()).toEqual([1]);
    running[0]?.answer('one');
    await settled();
    expect(values()).toEqual([1, 4]);
    running[1]?.answer('four');
    await settled();
    expect(heard).toEqual([
      ['one', false],
      ['four', true],
    ]);
  });

  it('aborts an older request that takes longer than its grace, however often it changes', async () => {
    const { newest, running, heard, values } = setUp();
    newest.ask(1);
    newest.ask(2);
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    newest.ask(3);
    expect(running[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(running[0]?.signal.aborted).toBe(true);
    expect(values()).toEqual([1, 3]);
    await vi.advanceTimersByTimeAsync(10 * GRACE_MS);
    expect(running[1]?.signal.aborted).toBe(false); // nothing newer waits
    expect(heard).toEqual([]);
  });

  it('never shows an aborted answer, and asks nothing beside one that is still on its way', async () => {
    const { newest, running, heard, values } = setUp({ obeys: false });
    newest.ask(1);
    newest.ask(2);
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(running[0]?.signal.aborted).toBe(true);
    expect(values()).toEqual([1]);
    running[0]?.answer('one');
    await settled();
    expect(values()).toEqual([1, 2]);
    expect(heard).toEqual([]);
  });

  it('gives each request a grace of its own', async () => {
    const { newest, running } = setUp();
    newest.ask(1);
    newest.ask(2);
    running[0]?.answer('one');
    await settled();
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(running[1]?.signal.aborted).toBe(false);
  });

  it('tells of an error only where no newer value waits', async () => {
    const { newest, running, errors, values } = setUp();
    newest.ask(1);
    newest.ask(2);
    running[0]?.fail();
    await settled();
    expect([values(), errors]).toEqual([[1, 2], []]);
    running[1]?.fail();
    await settled();
    expect(errors).toEqual([new Error('broken')]);
    newest.ask(3);
    expect(values()).toEqual([1, 2, 3]);
  });

  it('stops, forgets what waits, and can be asked again', async () => {
    const { newest, running, heard, errors, values } = setUp();
    newest.ask(1);
    newest.ask(2);
    newest.stop();
    await settled();
    expect(running[0]?.signal.aborted).toBe(true);
    expect([values(), heard, errors]).toEqual([[1], [], []]);
    newest.ask(3);
    expect(values()).toEqual([1, 3]);
  });
});
