import type { FromAnalysis, ToAnalysis } from '../protocol/analysis-tasks.ts';
import { hear, spawnAnalysis } from '../scheduler/spawn.ts';

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
  hear<FromAnalysis>(worker, {
    message: ({ data }) => port.onmessage?.(data),
    lost: (reason) => port.onlost?.(reason),
  });
  return port;
}
