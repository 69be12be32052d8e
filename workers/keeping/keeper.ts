import type {
  FetchProgress,
  FromKeeping,
  KeepingKind,
  KeepingTasks,
  ToKeeping,
} from '../../src/protocol/keeping/keeping-tasks.ts';
import { nextTask } from '../serving/next-task.ts';
import { keepFolder } from './keep-folder.ts';
import { fetchModel, type TaskContext } from './fetching/fetch-model.ts';
import { look } from './hub/look.ts';
import { problemFrom } from './problem.ts';

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

/** Progress is told so often at most, in milliseconds. */
const TELL_MS = 100;

/** Answers the page's messages: exactly one last message for each task, and no exception leaves it. */
export function createKeeper(
  send: (message: FromKeeping) => void,
  now: () => number = () => performance.now(),
): (message: ToKeeping) => void {
  const running = new Map<number, AbortController>();
  return (message) => {
    if (message.type === 'cancel') return running.get(message.id)?.abort();
    const { id, kind, input } = message;
    const controller = new AbortController();
    running.set(id, controller);
    const progress = sparsely((part) => send({ type: 'progress', id, progress: part }), now);
    void runTask(kind, input, { signal: controller.signal, progress, pause: nextTask })
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

/** The first of a phase, the last, and some in between. */
function sparsely(tell: (progress: FetchProgress) => void, now: () => number): (progress: FetchProgress) => void {
  let told = -Infinity;
  let phase: FetchProgress['phase'] | null = null;
  return (progress) => {
    if (progress.phase === phase && progress.done < progress.total && now() - told < TELL_MS) return;
    told = now();
    phase = progress.phase;
    tell(progress);
  };
}
