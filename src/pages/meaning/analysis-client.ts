import { createTaskClient, type TaskClient } from '../../scheduler/task-port.ts';
import type { AnalysisKind, AnalysisProgress, AnalysisTasks } from '../../protocol/analysis-tasks.ts';
import { type WorkerPort, spawnWorker } from '../../scheduler/spawn.ts';

type Table = { readonly [K in AnalysisKind]: AnalysisTasks[K] & { readonly progress: AnalysisProgress<K> } };

type Known = Omit<AnalysisTasks['add']['input'], 'isNew'>;

/** A worker with a collection of texts. */
export interface AnalysisClient {
  /** @throws {DOMException} `AbortError` when it is aborted @throws {Error} when the worker fails or dies */
  readonly run: TaskClient<Table>['run'];
  /** Sets the source of the texts for a worker that replaces a dead one. The buffer of their vectors is transferred to it. */
  remember(texts: () => Known | null): void;
  /** Ends the worker; running tasks reject. */
  end(): void;
}

/** A client whose worker starts with the first task. */
export function createAnalysisClient(spawn: () => WorkerPort = () => spawnWorker('analysis')): AnalysisClient {
  let remembered: () => Known | null = () => null;
  let isLost = false;
  const client = createTaskClient<Table>({
    spawn,
    errorOf: (outcome) => new Error(outcome.type === 'lost' ? outcome.reason : outcome.failure.message),
    onLost: () => (isLost = true),
  });
  const restore = () => {
    const known = isLost ? remembered() : null;
    isLost = false;
    if (!known) return;
    const transfer = [known.vectors.buffer].filter((buffer) => buffer instanceof ArrayBuffer);
    // If this fails, the next task fails too, because the worker is lost again.
    client.run('add', { isNew: true, ...known }, { transfer }).catch(() => undefined);
  };
  return {
    run(kind, input, options) {
      restore();
      return client.run(kind, input, options);
    },
    remember: (texts) => void (remembered = texts),
    end() {
      isLost = true;
      client.close('the analysis was ended');
    },
  };
}
