import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerTasks, createTaskWorker } from '../../../../evaluation/workers/worker-tasks.ts';

/** Both sides in one thread: what a worker's global scope would be, and a worker that hands messages to it. */
function bothSides(work: (input: number) => Promise<string>) {
  const worker = { onmessage: null, onerror: null, terminate: vi.fn(), postMessage: vi.fn() };
  const self = {
    onmessage: (_: { data: number }) => undefined,
    postMessage: (data: unknown) => Reflect.apply(Reflect.get(worker, 'onmessage') ?? fail, worker, [{ data }]),
  };
  worker.postMessage.mockImplementation((data: number) => self.onmessage({ data }));
  vi.stubGlobal('self', self);
  answerTasks(work);
  // The few members of a Worker that are used.
  return { worker, tasks: createTaskWorker<number, string>(worker as unknown as Worker) };
}

function fail(): never {
  throw new Error('nobody listens');
}

afterEach(() => vi.unstubAllGlobals());

describe('a task worker', () => {
  it('answers what it is asked, one after another', async () => {
    const { tasks } = bothSides(async (input) => `got ${input}`);
    expect(await tasks.ask(1)).toBe('got 1');
    expect(await tasks.ask(2)).toBe('got 2');
  });

  it('rejects with the words of what went wrong', async () => {
    const { tasks } = bothSides(async () => Promise.reject(new RangeError('expected a softmax')));
    await expect(tasks.ask(1)).rejects.toThrow('expected a softmax');
  });

  it('hands over what is to be moved, and ends its worker', async () => {
    const { tasks, worker } = bothSides(async () => '');
    const buffer = new ArrayBuffer(1);
    await tasks.ask(1, [buffer]);
    expect(worker.postMessage).toHaveBeenCalledWith(1, [buffer]);
    tasks.end();
    expect(worker.terminate).toHaveBeenCalledOnce();
  });
});
