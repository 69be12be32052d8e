import type { FromKeeping, KeepingKind, KeepingTasks, ToKeeping } from '../../src/protocol/keeping/keeping-tasks.ts';
import { nextTask } from '../serving/next-task.ts';
import { keepFolder } from './keep-folder.ts';
import { fetchModel, type TaskContext } from './fetching/fetch-model.ts';
import { look } from './hub/look.ts';
import { problemFrom } from './problem.ts';
import { sparseProgress } from './sparse-progress.ts';

/** What each task does. */
const TASKS: {
  readonly [K in KeepingKind]: (
    input: KeepingTasks[K]['input'],
    context: TaskContext,
  ) => Promise<KeepingTasks[K]['output']>;
} = {
  look: (address, { signal }) => look(address, signal),
  fetch: fetchModel,
  keep: keepFolder,
};

/** Answers the page's messages: exactly one last message for each task, and no exception leaves it. */
export function createKeeper(send: (message: FromKeeping) => void): (message: ToKeeping) => void {
  const running = new Map<number, AbortController>();
  return (message) => {
    if (message.type === 'cancel') return running.get(message.id)?.abort();
    const { id, kind, input } = message;
    const controller = new AbortController();
    running.set(id, controller);
    const { tell, end } = sparseProgress((progress) => send({ type: 'progress', id, progress }));
    void runTask(kind, input, { signal: controller.signal, progress: tell, pause: nextTask })
      .finally(end)
      .then(
        (output) => send({ type: 'done', id, output }),
        (error: unknown) => send({ type: 'failed', id, problem: problemFrom(error) }),
      )
      .finally(() => running.delete(id));
  };
}

/** A task's input fits its kind: `ToKeeping` pairs them. */
async function runTask<K extends KeepingKind>(
  kind: K,
  input: KeepingTasks[K]['input'],
  context: TaskContext,
): Promise<KeepingTasks[K]['output']> {
  const task = TASKS[kind] as (given: typeof input, within: TaskContext) => Promise<KeepingTasks[K]['output']>;
  return task(input, context);
}
