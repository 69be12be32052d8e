import { describe, expect, it, vi } from 'vitest';
import { createWatchdog } from '../../../src/scheduler/task-port.ts';
import { holdTime } from '../../support/fakes/fake-time.ts';

const SILENCE_MS = 60_000;

function setUp() {
  const onSilent = vi.fn();
  return { onSilent, watchdog: createWatchdog({ silenceMs: SILENCE_MS, onSilent }) };
}

describe('createWatchdog', () => {
  holdTime();

  it('barks after the silence, once', () => {
    const { onSilent, watchdog } = setUp();
    watchdog.extend();
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(onSilent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10 * SILENCE_MS);
    expect(onSilent).toHaveBeenCalledOnce();
  });

  it('counts from the last word', () => {
    const { onSilent, watchdog } = setUp();
    for (let word = 0; word < 20; word++) {
      watchdog.extend();
      vi.advanceTimersByTime(SILENCE_MS - 1);
    }
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('waits ten times longer than a pass is expected to take', () => {
    const { onSilent, watchdog } = setUp();
    watchdog.extend(20_000);
    vi.advanceTimersByTime(199_999);
    expect(onSilent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onSilent).toHaveBeenCalledOnce();
  });

  it('never waits less for a pass than for anything else', () => {
    const { onSilent, watchdog } = setUp();
    watchdog.extend(1);
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('does not cut an announced silence short for another word, but for the next announcement', () => {
    const { onSilent, watchdog } = setUp();
    watchdog.extend(20_000);
    watchdog.extend();
    vi.advanceTimersByTime(150_000);
    expect(onSilent).not.toHaveBeenCalled();
    watchdog.extend(0);
    vi.advanceTimersByTime(SILENCE_MS);
    expect(onSilent).toHaveBeenCalledOnce();
  });

  it('is quiet while nothing is owed', () => {
    const { onSilent, watchdog } = setUp();
    watchdog.extend();
    watchdog.stop();
    vi.advanceTimersByTime(100 * SILENCE_MS);
    expect(onSilent).not.toHaveBeenCalled();
  });
});

describe('createWatchdog on a device that slept', () => {
  holdTime();

  it('gives a worker that slept too its time once more, and no third time', () => {
    let clock = 0;
    const onSilent = vi.fn();
    const watchdog = createWatchdog({ silenceMs: SILENCE_MS, onSilent, now: () => clock });
    watchdog.extend();
    clock = 8 * 3_600_000; // the timer fires at waking up
    vi.advanceTimersByTime(SILENCE_MS);
    expect(onSilent).not.toHaveBeenCalled();
    clock += SILENCE_MS;
    vi.advanceTimersByTime(SILENCE_MS);
    expect(onSilent).toHaveBeenCalledOnce();
  });

  it('forgets that when the worker speaks', () => {
    let clock = 0;
    const onSilent = vi.fn();
    const watchdog = createWatchdog({ silenceMs: SILENCE_MS, onSilent, now: () => clock });
    for (let night = 0; night < 3; night++) {
      watchdog.extend();
      clock += 8 * 3_600_000;
      vi.advanceTimersByTime(SILENCE_MS);
    }
    expect(onSilent).not.toHaveBeenCalled();
  });
});
