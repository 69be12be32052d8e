import type { DownloadProblem, DownloadTasks } from '../protocol/download-tasks.ts';
import { spawnWorker, type WorkerPort } from '../scheduler/spawn.ts';
import { createTaskClient, type TaskClient } from '../scheduler/task-port.ts';

/** A task that went wrong. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure';
  readonly problem: DownloadProblem;

  constructor(problem: DownloadProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * The page's end of the worker that fetches models. A task rejects with a `DownloadFailure` when it fails or the worker dies, and with the
 * reason of its signal once the worker has closed its files.
 */
export type DownloadsClient = Pick<TaskClient<DownloadTasks>, 'run'>;

/** A worker that starts with its first task. */
export function createDownloadsClient(spawn: () => WorkerPort = () => spawnWorker('downloads')): DownloadsClient {
  return createTaskClient<DownloadTasks, DownloadProblem>({
    spawn,
    awaitsCancel: true,
    errorOf: (outcome) =>
      new DownloadFailure(outcome.type === 'failed' ? outcome.failure : { kind: 'other', detail: outcome.reason }),
  });
}
