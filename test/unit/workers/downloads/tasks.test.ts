import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDownloadTasks, REPORT_MS, throttledProgress } from '../../../../workers/downloads/tasks.ts';
import { holdTime } from '../../../support/fakes/fake-time.ts';
import type { FetchProgress } from '../../../../src/protocol/download-tasks.ts';

holdTime();
afterEach(() => {
  vi.unstubAllGlobals();
});

it('beats while a hub does not answer, so that its worker does not count as stuck, and not after the end', async () => {
  const ending = new AbortController();
  vi.stubGlobal('fetch', () => new Promise((_, reject) => ending.signal.addEventListener('abort', reject)));
  // Not the thread's own heartbeats: tasks of other test files share the thread and beat too.
  const beat = vi.fn();
  const address = { hub: 'https://hub', id: 'a/b', revision: 'main', subfolder: '', dtype: null, token: null };
  const { signal } = new AbortController();
  const context = { signal, listens: false, progress: () => undefined, checkpoint: async () => undefined };
  const looking = createDownloadTasks(beat)
    .look(address, context)
    .catch(() => 'failed');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(beat).toHaveBeenCalledTimes(6);
  ending.abort();
  expect(await looking).toBe('failed');
  beat.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(beat).not.toHaveBeenCalled();
});

const at = (done: number, phase: FetchProgress['phase'] = 'fetching'): FetchProgress => ({
  phase,
  done,
  total: 100,
  files: [],
  comesWhole: false,
});

describe('progress of a fetch', () => {
  /** What is sent, as phase and bytes. */
  const watched = () => {
    const sent: [FetchProgress['phase'], number][] = [];
    return { sent, ...throttledProgress(({ phase, done }) => sent.push([phase, done])) };
  };

  it('tells the first at once, and the newest of an interval at its end, also where nothing follows', () => {
    const { sent, report } = watched();
    for (const done of [1, 2, 30]) report(at(done));
    expect(sent).toEqual([['fetching', 1]]);
    vi.advanceTimersByTime(REPORT_MS);
    expect(sent).toEqual([
      ['fetching', 1],
      ['fetching', 30],
    ]);
    vi.advanceTimersByTime(10 * REPORT_MS);
    expect(sent).toHaveLength(2);
  });

  it('tells another phase and the end at once', () => {
    const { sent, report } = watched();
    for (const progress of [at(1), at(2), at(2, 'waiting'), at(3), at(100)]) report(progress);
    expect(sent).toEqual([
      ['fetching', 1],
      ['waiting', 2],
      ['fetching', 3],
      ['fetching', 100],
    ]);
  });

  it('tells nothing behind its end', () => {
    const { sent, report, end } = watched();
    for (const done of [1, 2]) report(at(done));
    end();
    report(at(100));
    vi.advanceTimersByTime(10 * REPORT_MS);
    expect(sent).toEqual([['fetching', 1]]);
  });
});
