import { describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../../../evaluation/driver/progress.mjs';
import { holdTime } from '../../../support/fakes/fake-time.ts';

describe('createProgress', () => {
  holdTime();

  const shown = (isTTY: boolean) => {
    const written: string[] = [];
    const progress = createProgress({ isTTY, write: (text) => written.push(text) });
    return { written, progress };
  };

  it('writes a line every ten seconds where there is no terminal, news or not', () => {
    const { written, progress } = shown(false);
    progress.say('questions', 3, 50);
    progress.say('questions', 4, 50);
    vi.advanceTimersByTime(20_000);
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(['  questions: 4 of 50, 10 s\n', '  questions: 4 of 50, 20 s\n']);
  });

  it('writes over its line on a terminal, and takes it away', () => {
    const { written, progress } = shown(true);
    vi.advanceTimersByTime(1000);
    progress.end();
    expect(written).toEqual(['\r\u001b[K  starting, 1 s', '\r\u001b[K']);
  });
});
