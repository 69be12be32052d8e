import { createRunQueue } from '../../../../../workers/engine/session/session.ts';
import { describe, expect, it } from 'vitest';

describe('createRunQueue', () => {
  it('runs one task at a time, in order', async () => {
    const queue = createRunQueue();
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([queue(task('first')), queue(task('second'))])).toEqual(['first', 'second']);
    expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('goes on behind a task that failed', async () => {
    const queue = createRunQueue();
    const failing = queue(() => Promise.reject(new Error('no')));
    const next = queue(async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
