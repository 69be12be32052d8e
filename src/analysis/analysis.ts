import type {
  AnalysisKind,
  AnalysisProgress,
  AnalysisTasks,
  FromAnalysis,
  ToAnalysis,
} from '../protocol/analysis-tasks.ts';
import { type AnalysisPort, openAnalysisPort } from './analysis-port.ts';

/** How a task is run. */
export interface AnalysisOptions<K extends AnalysisKind> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: AnalysisProgress<K>) => void;
}

/** The texts that a new worker is given. */
export type Known = Omit<AnalysisTasks['add']['input'], 'isNew'>;

/** A worker that holds a collection of texts. */
export interface Analysis {
  /**
   * Runs a task; tasks that compute for long let others in between.
   *
   * @throws {DOMException} `AbortError` when it is aborted
   * @throws {Error} when the worker fails or dies
   */
  run<K extends AnalysisKind>(
    kind: K,
    input: AnalysisTasks[K]['input'],
    options?: AnalysisOptions<K>,
  ): Promise<AnalysisTasks[K]['output']>;
  /** Where the texts come from when a worker died and another one takes its place. */
  remember(texts: () => Known | null): void;
  /** Ends the worker; tasks under way reject. */
  end(): void;
}

interface Waiting {
  readonly resolve: (output: AnalysisTasks[AnalysisKind]['output']) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((progress: AnalysisProgress) => void) | undefined;
}

/** An analysis whose worker starts with its first task. */
export function createAnalysis(open: () => AnalysisPort = openAnalysisPort): Analysis {
  const waiting = new Map<number, Waiting>();
  let port: AnalysisPort | null = null;
  let newest = 0;
  let remembered: () => Known | null = () => null;
  let isLost = false;
  const take = (message: FromAnalysis) => {
    const task = waiting.get(message.id);
    if (!task) return; // aborted meanwhile
    if (message.type === 'progress') return task.onProgress?.(message.progress);
    waiting.delete(message.id);
    if (message.type === 'done') task.resolve(message.output);
    else task.reject(new Error(message.message));
  };
  const lose = (reason: string) => {
    port?.terminate();
    port = null;
    isLost = true;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  const send = (message: ToAnalysis) => {
    if (!port) {
      port = open();
      port.onmessage = take;
      port.onlost = lose;
      const known = isLost ? remembered() : null;
      if (known) port.postMessage({ type: 'run', id: ++newest, kind: 'add', input: { isNew: true, ...known } });
    }
    port.postMessage(message);
  };
  const run = <K extends AnalysisKind>(kind: K, input: AnalysisTasks[K]['input'], options: AnalysisOptions<K> = {}) =>
    new Promise<AnalysisTasks[K]['output']>((resolve, reject) => {
      const { signal, onProgress } = options;
      signal?.throwIfAborted();
      const id = ++newest;
      // The worker answers a task of a kind with an output of that kind: the protocol pairs them by id.
      waiting.set(id, { resolve, reject, onProgress } as Waiting);
      signal?.addEventListener('abort', () => {
        if (!waiting.delete(id)) return;
        send({ type: 'cancel', id });
        reject(signal.reason);
      });
      send({ type: 'run', id, kind, input } as ToAnalysis);
    });
  const remember = (texts: () => Known | null) => void (remembered = texts);
  return { run, remember, end: () => lose('the analysis was ended') };
}
