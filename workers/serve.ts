import { FailureError, type Failure } from '../src/contract/failure.ts';
import type { JobKind } from '../src/protocol/jobs.ts';
import type { DoneMessage, FromWorker, JobId, Port, RunMessage, ToWorker } from '../src/protocol/messages.ts';
import { transferablesOf } from '../src/protocol/transfer.ts';
import type { JobContext } from './operations/context.ts';
import type { Operations } from './operations/operations.ts';

/** A job being run. */
interface Run {
  readonly nice: boolean;
  readonly listens: boolean;
  readonly cancellation: AbortController;
}

/** A worker serves its own kinds of job; another kind is a defect of the sender and fails as one. */
type Served = Partial<Operations<JobKind>>;

/**
 * Answers every `run` on `port` with exactly one terminal message, whatever happens inside. Runs may overlap; a nice
 * one waits at its checkpoints while any other runs.
 */
export function serve(port: Port, operations: Served): void {
  const runs = new Map<JobId, Run>();
  const post = (message: FromWorker) => port.postMessage(message, transferablesOf(message));
  const postAnswer = (message: FromWorker) => {
    try {
      post(message);
    } catch (error) {
      post({ type: 'failed', id: message.id, failure: failureOf(error) }); // an answer that cannot be cloned
    }
  };
  const othersFinished = createGate(() => ![...runs.values()].some(({ nice }) => !nice));

  const contextOf = (id: JobId, { nice, listens, cancellation: { signal } }: Run): JobContext => ({
    async checkpoint() {
      await nextTask(); // lets a waiting `cancel` or `run` message in
      if (nice) await othersFinished.passed(signal);
      signal.throwIfAborted();
    },
    listens,
    progress: (progress) => {
      if (listens) post({ type: 'progress', id, progress });
    },
  });

  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if (data.type === 'cancel') return runs.get(data.id)?.cancellation.abort();
    const run: Run = { nice: data.nice, listens: data.listens, cancellation: new AbortController() };
    runs.set(data.id, run);
    void answerTo(data, operations, contextOf(data.id, run)).then((answer) => {
      runs.delete(data.id);
      othersFinished.check();
      postAnswer(answer);
    });
  };
}

async function answerTo(message: RunMessage, operations: Served, context: JobContext): Promise<FromWorker> {
  try {
    return await resultOf(message, operations, context);
  } catch (error) {
    const { id } = message;
    if (error instanceof DOMException && error.name === 'AbortError') return { type: 'cancelled', id };
    return { type: 'failed', id, failure: failureOf(error) };
  }
}

async function resultOf<Kind extends JobKind>(
  { id, kind, input }: RunMessage<Kind>,
  operations: Partial<Operations<Kind>>,
  context: JobContext,
): Promise<DoneMessage<Kind>> {
  const operation = operations[kind];
  if (operation === undefined) throw new TypeError('this worker does not serve jobs of this kind');
  return { type: 'done', id, kind, output: await operation(input, context) };
}

/** A thrown failure is data; anything else thrown is a defect and says so. */
function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  console.error(error);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'INTERNAL', message };
}

/**
 * A macrotask: microtasks alone would keep messages waiting for as long as a job runs. A message to oneself, because
 * timers are delayed by a millisecond, and by four when they are nested.
 */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function createGate(isOpen: () => boolean) {
  const waiting = new Set<() => void>();
  const check = () => {
    if (!isOpen()) return;
    waiting.forEach((pass) => pass());
    waiting.clear();
  };
  return {
    check,
    async passed(signal: AbortSignal): Promise<void> {
      while (!isOpen() && !signal.aborted)
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    },
  };
}
