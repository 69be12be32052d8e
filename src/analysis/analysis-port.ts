import type { FromAnalysis, ToAnalysis } from '../protocol/analysis-tasks.ts';
import { spawnAnalysis } from '../scheduler/spawn.ts';

/** The worker as the page sees it. */
export interface AnalysisPort {
  postMessage(message: ToAnalysis): void;
  onmessage: ((message: FromAnalysis) => void) | null;
  /** The worker has died by itself; the reason is for people. */
  onlost: ((reason: string) => void) | null;
  terminate(): void;
}

/** Starts the analysis worker of this build. */
export function openAnalysisPort(): AnalysisPort {
  const worker = spawnAnalysis();
  const port: AnalysisPort = {
    onmessage: null,
    onlost: null,
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
  };
  worker.onmessage = ({ data }: MessageEvent<FromAnalysis>) => port.onmessage?.(data);
  worker.onerror = (event) => {
    event.preventDefault(); // it is dealt with here: the page itself has no error
    console.error(event.message || event);
    port.onlost?.(event.message || 'the worker could not be started');
  };
  worker.addEventListener('messageerror', () => port.onlost?.('a message from the worker could not be read'));
  return port;
}
