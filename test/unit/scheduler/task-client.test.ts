import { describe, expect, it } from 'vitest';
import { createTaskClient } from '../../../src/scheduler/task-port.ts';
import type { TaskContext } from '../../../workers/serving/serve.ts';
import { servedPort } from '../../support/workers/served-port.ts';

interface Tasks {
  double: { input: Float32Array; output: Float32Array; progress: number };
  wait: { input: null; output: null; progress: never };
}

/** A worker whose `wait` ends once it is cancelled and lets go; buffers move in both directions. */
function setUp(awaitsCancel = false) {
  const log: string[] = [];
  const functions = {
    double(values: Float32Array, { progress }: TaskContext<number>) {
      progress(0.5);
      return values.map((value) => 2 * value);
    },
    async wait(_: null, { signal, checkpoint }: TaskContext) {
      while (!signal.aborted) await checkpoint().catch(() => undefined);
      log.push('let go');
      signal.throwIfAborted();
    },
  };
  const transferablesOf = ({ output }: { output: Float32Array }) => {
    log.push('moved');
    return [output.buffer as ArrayBuffer];
  };
  const client = createTaskClient<Tasks>({
    spawn: () => servedPort(functions, { transferablesOf }),
    errorOf: (outcome) => new Error(outcome.type),
    awaitsCancel,
  });
  return { client, log };
}

describe('createTaskClient', () => {
  it('moves buffers in both directions, and passes progress on', async () => {
    const { client, log } = setUp();
    const values = Float32Array.of(1, 2);
    const heard: number[] = [];
    const onProgress = (share: number) => void heard.push(share);
    const doubled = client.run('double', values, { transfer: [values.buffer], onProgress });
    expect(values.byteLength).toBe(0);
    expect([...(await doubled)]).toEqual([2, 4]);
    expect([heard, log]).toEqual([[0.5], ['moved']]);
    client.close('over');
  });

  it.each([false, true])('rejects with the reason of the signal, once the worker has let go: %s', async (awaits) => {
    const { client, log } = setUp(awaits);
    const aborting = new AbortController();
    const waiting = client.run('wait', null, { signal: aborting.signal });
    aborting.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(log).toEqual(awaits ? ['let go'] : []);
    await expect(client.run('wait', null, { signal: aborting.signal })).rejects.toThrow('enough');
    client.close('over');
  });

  it('rejects what is under way when it is closed', async () => {
    const { client } = setUp();
    const waiting = client.run('wait', null);
    client.close('over');
    await expect(waiting).rejects.toThrow('lost');
  });
});
