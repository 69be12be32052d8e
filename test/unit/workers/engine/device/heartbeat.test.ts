import { describe, expect, it, vi } from 'vitest';
import { createPassTimer, createHeartbeats } from '../../../../../workers/engine/device/guard.ts';

describe('createPulse', () => {
  it('beats once a second, but announces each long silence and its end', () => {
    let clock = 0;
    const onBeat = vi.fn();
    const pulse = createHeartbeats(() => clock);
    pulse.listen(onBeat);
    for (clock = 0; clock < 3_000; clock += 10) pulse.beat(5);
    expect(onBeat).toHaveBeenCalledTimes(3);
    onBeat.mockClear();
    pulse.beat(4_000);
    pulse.beat(4_000);
    pulse.beat(0);
    pulse.beat(0);
    expect(onBeat.mock.calls).toEqual([
      [4_000, undefined],
      [4_000, undefined],
      [0, undefined],
    ]);
  });

  it('announces the beginning and the end of a step with a limit, and the outer limit of two', () => {
    const onBeat = vi.fn();
    const pulse = createHeartbeats(() => 0);
    pulse.listen(onBeat);
    const outer = { failure: { code: 'INTERNAL', message: 'outer' } } as const;
    const inner = { failure: { code: 'INTERNAL', message: 'inner' } } as const;
    const liftOuter = pulse.limit(outer);
    const liftInner = pulse.limit(inner);
    liftInner();
    pulse.beat(0);
    liftOuter();
    expect(onBeat.mock.calls.map(([, limit]) => limit)).toEqual([outer, inner, outer, undefined]);
  });
});

describe('createPace', () => {
  it('expects what it is told before a second pass was measured, then what such work took', () => {
    const pace = createPassTimer(7_000);
    expect(pace.expected(100)).toBe(7_000);
    pace.measured(10, 99_999);
    expect(pace.expected(100)).toBe(7_000);
    pace.measured(10, 50);
    expect(pace.expected(100)).toBe(500);
  });

  it('believes a slow pass at once, and a fast one by halves', () => {
    const pace = createPassTimer();
    pace.measured(10, 0);
    pace.measured(10, 10);
    pace.measured(10, 90);
    expect(pace.expected(10)).toBe(90);
    pace.measured(10, 10);
    expect(pace.expected(10)).toBe(50);
  });
});
