import { describe, expect, it } from 'vitest';
import { createPause, nextTask } from '../../../src/contract/pause.ts';

describe('createPause', () => {
  it('ends the task once the slice is over, and not before', async () => {
    let clock = 0;
    let tasks = 0;
    const endTask = () => nextTask().then(() => void tasks++);
    const pause = createPause(12, endTask, () => clock);
    clock = 11;
    await pause();
    expect(tasks).toBe(0);
    clock = 12;
    await pause();
    expect(tasks).toBe(1);
    clock = 23;
    await pause();
    expect(tasks).toBe(1);
  });
});

describe('nextTask', () => {
  it('lets a message in that was sent before', async () => {
    const { port1, port2 } = new MessageChannel();
    let isReceived = false;
    port1.onmessage = () => (isReceived = true);
    port2.postMessage(null);
    await nextTask();
    await nextTask();
    port1.close();
    expect(isReceived).toBe(true);
  });
});
