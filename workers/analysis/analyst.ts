import type { AnalysisKind, AnalysisTasks, FromAnalysis, ToAnalysis } from '../../src/protocol/analysis-tasks.ts';
import { createCollection } from './collection.ts';
import { createTurns } from './pause.ts';
import { TASKS } from './tasks.ts';

/** Answers the page's messages over one collection: exactly one last message for each task, and no exception leaves it. */
export function createAnalyst(send: (message: FromAnalysis) => void): (message: ToAnalysis) => void {
  const collection = createCollection();
  const running = new Map<number, AbortController>();
  return (message) => {
    if (message.type === 'cancel') return running.get(message.id)?.abort();
    const { id, kind, input } = message;
    const controller = new AbortController();
    running.set(id, controller);
    const answer = async () => {
      const output = await runTask(kind, input, {
        collection,
        turns: createTurns(controller.signal),
        progress: (progress) => send({ type: 'progress', id, progress }),
      });
      send({ type: 'done', id, output });
    };
    void answer()
      .catch((error: unknown) =>
        send({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => running.delete(id));
  };
}

/** A task's input fits its kind: `ToAnalysis` pairs them. */
async function runTask<K extends AnalysisKind>(
  kind: K,
  input: AnalysisTasks[K]['input'],
  context: Parameters<(typeof TASKS)[K]>[1],
): Promise<AnalysisTasks[K]['output']> {
  const task = TASKS[kind] as (given: typeof input, within: typeof context) => Promise<AnalysisTasks[K]['output']>;
  return task(input, context);
}
