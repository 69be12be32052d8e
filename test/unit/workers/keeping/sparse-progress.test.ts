import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FetchProgress } from '../../../../src/protocol/keeping/keeping-tasks.ts';
import { sparseProgress, TELL_MS } from '../../../../workers/keeping/sparse-progress.ts';

const at = (done: number, phase: FetchProgress['phase'] = 'fetching'): FetchProgress => ({
  ...{ phase, done, total: 100, files: [], comesWhole: false },
});

describe('progress of a fetch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What is sent, as phase and bytes. */
  const watched = () => {
    const sent: [FetchProgress['phase'], number][] = [];
    return { sent, ...sparseProgress(({ phase, done }) => sent.push([phase, done])) };
  };

  it('tells the first at once, and the newest of an interval at its end, also where nothing follows', () => {
    const { sent, tell } = watched();
    for (const done of [1, 2, 30]) tell(at(done));
    expect(sent).toEqual([['fetching', 1]]);
    vi.advanceTimersByTime(TELL_MS);
    expect(sent).toEqual([
      ['fetching', 1],
      ['fetching', 30],
    ]);
    vi.advanceTimersByTime(10 * TELL_MS);
    expect(sent).toHaveLength(2);
  });

  it('tells another phase and the end at once', () => {
    const { sent, tell } = watched();
    for (const progress of [at(1), at(2), at(2, 'waiting'), at(3), at(100)]) tell(progress);
    expect(sent).toEqual([
      ['fetching', 1],
      ['waiting', 2],
      ['fetching', 3],
      ['fetching', 100],
    ]);
  });

  it('tells nothing behind its end', () => {
    const { sent, tell, end } = watched();
    for (const done of [1, 2]) tell(at(done));
    end();
    tell(at(100));
    vi.advanceTimersByTime(10 * TELL_MS);
    expect(sent).toEqual([['fetching', 1]]);
  });
});
