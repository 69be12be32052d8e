import { FailureError, type Failure } from '../../src/contract/failure.ts';
import type { JobKind } from '../../src/protocol/jobs.ts';
import type {
  DoneMessage,
  FromWorker,
  JobAnswer,
  JobId,
  Port,
  RunMessage,
  ToWorker,
} from '../../src/protocol/messages.ts';
import { transferablesOf } from '../../src/protocol/transfer.ts';
import { threadPulse } from '../engine/device/pulse.ts';
import { failLoudly } from './life.ts';
import type { JobContext } from '../operations/context.ts';
import type { Operations } from '../operations/operations.ts';
import { createTurns, type Ranked } from './turns.ts';

/** A job being run. */
interface Run extends Ranked {
  readonly listens: boolean;
  readonly cancellation: AbortController;
}

/** A worker serves its own kinds of job; another kind is a defect of the sender and fails as one. */
type Served = Partial<Operations<JobKind>>;

/**
 * Answers every `run` on `port` with exactly one terminal message, whatever happens inside. Runs overlap: at its
 * checkpoints each gives way to those that are more urgent (see `createTurns`). Steps and silences are told to the page, so
 * that it knows a busy worker from a stuck one.
 *
 * @param fail  told why nothing can be said any more: the page must then learn of it in another way
 */
export function serve(port: Port, operations: Served, fail: (error: unknown) => void = failLoudly): void {
  const runs = new Map<JobId, Run>();
  const post = (message: FromWorker) => port.postMessage(message, 'id' in message ? transferablesOf(message) : []);
  let isMute = false;
  /** Says something else where a message cannot be posted; where that cannot be either, nothing can. */
  const say = (message: FromWorker, instead: (error: unknown) => FromWorker) => {
    if (isMute) return;
    try {
      post(message);
    } catch (error) {
      try {
        post(instead(error));
      } catch (second) {
        isMute = true;
        fail(second);
      }
    }
  };
  /** An answer that cannot be cloned becomes a failure. */
  const answer = (message: JobAnswer) =>
    say(message, (error) => ({ type: 'failed', id: message.id, failure: failureOf(error) }));
  /** The next sign makes up for one that is lost, and no job fails for it. */
  const sign = (message: FromWorker) =>
    say(message, (error) => {
      console.error(error);
      return message.type === 'beat' ? message : { type: 'beat', expectedMs: 0 };
    });
  const turns = createTurns();
  threadPulse.listen((expectedMs) => sign({ type: 'beat', expectedMs }));

  const contextOf = (id: JobId, run: Run): JobContext => ({
    async checkpoint() {
      threadPulse.beat(0);
      const { signal } = run.cancellation;
      if (!signal.aborted) await turns.next(run, signal); // lets a waiting `cancel` or `run` message in
      signal.throwIfAborted();
    },
    signal: run.cancellation.signal,
    listens: run.listens,
    progress: (progress) => {
      threadPulse.beat(0);
      if (run.listens) sign({ type: 'progress', id, progress });
    },
  });

  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if (data.type === 'cancel') return runs.get(data.id)?.cancellation.abort();
    const { id, nice, cost, listens } = data;
    const run: Run = { nice, cost, listens, cancellation: new AbortController() };
    runs.set(id, run);
    void answerTo(data, operations, contextOf(id, run)).then((message) => {
      runs.delete(id);
      turns.leave(run);
      answer(message);
    });
  };
}

async function answerTo(message: RunMessage, operations: Served, context: JobContext): Promise<JobAnswer> {
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
