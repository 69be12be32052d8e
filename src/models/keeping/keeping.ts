import type {
  FetchProgress,
  FromKeeping,
  KeepingKind,
  KeepingProblem,
  KeepingTasks,
  ToKeeping,
} from '../../protocol/keeping/keeping-tasks.ts';
import { hear, spawnKeeping } from '../../scheduler/spawn.ts';

/** How a task is run. */
export interface KeepingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: FetchProgress) => void;
}

/** A task that went wrong. */
export class KeepingError extends Error {
  override readonly name = 'KeepingError';
  readonly problem: KeepingProblem;

  constructor(problem: KeepingProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** The page's end of the keeping worker. */
export interface Keeping {
  /**
   * Runs a task.
   *
   * @throws {DOMException} `AbortError` when it is aborted, once the worker has let go of its files
   * @throws {KeepingError} when it fails, or the worker dies
   */
  run<K extends KeepingKind>(
    kind: K,
    input: KeepingTasks[K]['input'],
    options?: KeepingOptions,
  ): Promise<KeepingTasks[K]['output']>;
}

interface Waiting {
  readonly resolve: (output: KeepingTasks[KeepingKind]['output']) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((progress: FetchProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A keeping whose worker starts with its first task. */
export function createKeeping(spawn: () => Worker = spawnKeeping): Keeping {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let newest = 0;
  const take = (message: FromKeeping) => {
    const task = waiting.get(message.id);
    if (!task) return;
    if (message.type === 'progress') return task.onProgress?.(message.progress);
    waiting.delete(message.id);
    if (message.type === 'done') task.resolve(message.output);
    else task.reject(task.signal?.aborted ? task.signal.reason : new KeepingError(message.problem));
  };
  const lose = (reason: string) => {
    worker?.terminate();
    worker = null;
    for (const { reject } of waiting.values()) reject(new KeepingError({ kind: 'other', detail: reason }));
    waiting.clear();
  };
  const send = (message: ToKeeping) => {
    worker ??= started(spawn(), take, lose);
    worker.postMessage(message);
  };
  return {
    run: (kind, input, { signal, onProgress } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const id = ++newest;
        // The worker answers a task of a kind with an output of that kind: the protocol pairs them by id.
        waiting.set(id, { resolve, reject, onProgress, signal } as Waiting);
        signal?.addEventListener('abort', () => waiting.has(id) && send({ type: 'cancel', id }));
        send({ type: 'run', id, kind, input } as ToKeeping);
      }),
  };
}

function started(worker: Worker, take: (message: FromKeeping) => void, lose: (reason: string) => void): Worker {
  hear<FromKeeping>(worker, { message: ({ data }) => take(data), lost: lose });
  return worker;
}
