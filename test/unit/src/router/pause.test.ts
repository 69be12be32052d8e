import { describe, expect, it } from 'vitest';
import { createPause } from '../../../../src/router/pause.ts';

describe('createPause', () => {
  it('waits once a stretch is over, and not before', async () => {
    let clock = 0;
    let tasks = 0;
    const pause = createPause(() => clock);
    setTimeout(() => tasks++);
    clock = 11;
    await pause();
    expect(tasks).toBe(0);
    clock = 12;
    await pause();
    expect(tasks).toBe(1);
  });
});
