import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { FailureError } from '../../../../src/contract/failure.ts';
import { embeddedModels } from '../../../../src/models/catalogue.ts';
import type { JobKind } from '../../../../src/protocol/jobs.ts';
import type { FinalMessage, FromWorker, Port, ToWorker } from '../../../../src/protocol/messages.ts';
import { type TaskContext, serveJobs } from '../../../../workers/serving/serve.ts';
import type { Operations } from '../../../../workers/operations/operations.ts';

const [model] = embeddedModels('http://localhost/models/');
if (!model) throw new Error('expected an embedded model');

const run = (id: number, nice = false): ToWorker => ({
  type: 'run',
  id,
  kind: 'prepare',
  input: { model },
  nice,
  cost: 1,
  listens: true,
});
const report = { backend: 'wasm', threads: 1, reason: 'test' } as const;
const ports: MessagePort[] = [];

/** A served channel; each job runs `prepare`. */
function createLine(prepare: (context: TaskContext, id: number) => Promise<typeof report>) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1);
  const heard: FinalMessage[] = [];
  let count = 0;
  port1.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    void ('id' in data && data.type !== 'progress' && heard.push(data));
  const operations: Pick<Operations<JobKind>, 'prepare'> = { prepare: (_, context) => prepare(context, ++count) };
  serveJobs(port2, operations);
  return { say: (message: ToWorker) => port1.postMessage(message), heard };
}

/** A run of two steps is asked of a worker that posts so; `over` is called at its end. */
function linePosting(postMessage: (message: FromWorker) => void, over: () => void = () => undefined) {
  const fail = vi.fn();
  const port: Port = { onmessage: null, postMessage: (message) => postMessage(message as FromWorker) };
  const prepare = async (_: unknown, context: TaskContext) => {
    for (const done of [1, 2]) context.progress({ phase: 'run', done, total: 2 });
    over();
    return report;
  };
  serveJobs(port, { prepare }, { fail });
  port.onmessage?.({ data: run(1) } as MessageEvent);
  return { fail };
}

afterEach(() => ports.splice(0).forEach((port) => port.close()));

describe('serve', () => {
  it('answers each run with exactly one message of its id', async () => {
    const line = createLine(async () => report);
    line.say(run(7));
    line.say(run(9));
    await eventually(() => expect(line.heard).toHaveLength(2));
    expect(line.heard).toEqual([7, 9].map((id) => ({ type: 'done', id, kind: 'prepare', output: report })));
  });

  it('carries a thrown failure as data', async () => {
    const line = createLine(() => Promise.reject(new FailureError('PROMPT_TOO_LONG', 'too long')));
    line.say(run(1));
    await eventually(() =>
      expect(line.heard).toEqual([
        { type: 'failed', id: 1, failure: { code: 'PROMPT_TOO_LONG', message: 'too long' } },
      ]),
    );
  });

  it('reports anything else that is thrown as a defect, synchronously thrown or not', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const line = createLine(() => {
      throw new TypeError('broken');
    });
    line.say(run(1));
    await eventually(() =>
      expect(line.heard).toMatchObject([
        { type: 'failed', failure: { code: 'INTERNAL', message: 'TypeError: broken' } },
      ]),
    );
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
  });

  it('reports a kind of job that it does not serve as a defect', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const line = createLine(async () => report);
    const input = { file: new Uint8Array(0), path: 'documents[0].docx' };
    line.say({ type: 'run', id: 1, kind: 'extractText', input, nice: false, cost: 1, listens: false });
    await eventually(() => expect(line.heard).toMatchObject([{ type: 'failed', failure: { code: 'INTERNAL' } }]));
    logged.mockRestore();
  });

  it.each([1, 2])('fails once, when its last words cannot be sent: %i of them', async (count) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const fail = vi.fn();
    const said: unknown[] = [];
    let left = count;
    const port: Port = {
      onmessage: null,
      postMessage(message) {
        if (left-- > 0) throw new DOMException('no memory', 'DataCloneError');
        said.push(message);
      },
    };
    serveJobs(port, { prepare: async () => report }, { fail });
    port.onmessage?.({ data: run(1) } as MessageEvent);
    await eventually(() => expect(left).toBeLessThanOrEqual(0));
    await eventually(() => expect(said.length + fail.mock.calls.length).toBe(1));
    if (count === 1) expect(said).toMatchObject([{ type: 'failed', id: 1, failure: { code: 'INTERNAL' } }]);
    else expect(fail).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'DataCloneError' }));
    logged.mockRestore();
  });

  it('fails no job for a sign that cannot be sent', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const said: FromWorker[] = [];
    const line = linePosting((message) => {
      if (message.type === 'progress') throw new DOMException('no memory', 'DataCloneError');
      said.push(message);
    });
    await eventually(() => expect(said.at(-1)).toMatchObject({ type: 'done', id: 1 }));
    expect(said.map(({ type }) => type)).toContain('beat');
    expect(line.fail).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  it('fails at the first sign when nothing can be sent, once, and says nothing more', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isOver = false;
    let posts = 0;
    const line = linePosting(
      () => {
        posts++;
        throw new DOMException('no memory', 'DataCloneError');
      },
      () => (isOver = true),
    );
    await eventually(() => expect(isOver).toBe(true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(line.fail).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'DataCloneError' }));
    expect(posts).toBe(2);
    logged.mockRestore();
  });

  it('cancels at the next checkpoint, and only the job that is meant', async () => {
    const line = createLine(async (context, id) => {
      for (let i = 0; i < (id === 1 ? 1e6 : 3); i++) await context.checkpoint();
      return report;
    });
    line.say(run(1));
    line.say(run(2));
    line.say({ type: 'cancel', id: 1 });
    line.say({ type: 'cancel', id: 99 });
    await eventually(() => expect(line.heard).toHaveLength(2));
    expect(line.heard.map(({ type, id }) => `${type} ${id}`).sort()).toEqual(['cancelled 1', 'done 2']);
  });

  it('lets a nice job wait at its checkpoint while another runs', async () => {
    const order: string[] = [];
    const line = createLine(async (context, id) => {
      const isFinished = () => (id === 1 ? order.includes('2.4') : order.includes(`${id}.4`));
      for (let i = 0; i < 1e5 && !isFinished(); i++) {
        await context.checkpoint();
        order.push(`${id}.${i}`);
      }
      return report;
    });
    line.say(run(1, true));
    await eventually(() => expect(order.length).toBeGreaterThan(0));
    line.say(run(2));
    await eventually(() => expect(line.heard).toHaveLength(2));
    expect(line.heard.map(({ id }) => id)).toEqual([2, 1]);
    const during = order.slice(order.indexOf('2.0'), order.indexOf('2.4'));
    expect(during.filter((step) => step.startsWith('1.')).length).toBeLessThanOrEqual(1);
  });

  it('cancels a nice job that waits', async () => {
    let finish: (() => void) | undefined;
    const line = createLine(async (context, id) => {
      if (id === 2) await new Promise<void>((resolve) => (finish = resolve));
      for (let i = 0; id === 1 && i < 1e6; i++) await context.checkpoint();
      return report;
    });
    line.say(run(1, true));
    line.say(run(2));
    await eventually(() => expect(finish).toBeDefined());
    line.say({ type: 'cancel', id: 1 });
    await eventually(() => expect(line.heard).toEqual([{ type: 'cancelled', id: 1 }]));
    finish?.();
    await eventually(() => expect(line.heard).toHaveLength(2));
  });
});
