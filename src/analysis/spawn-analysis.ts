import type { FromAnalysis, ToAnalysis } from '../protocol/analysis-tasks.ts';

/** The worker as the page sees it. */
export interface AnalysisPort {
  postMessage(message: ToAnalysis): void;
  onmessage: ((message: FromAnalysis) => void) | null;
  /** The worker has died by itself; the reason is for people. */
  onlost: ((reason: string) => void) | null;
  terminate(): void;
}

/** Starts the analysis worker of this build. */
export function spawnAnalysis(): AnalysisPort {
  // The bundler finds a worker by this very form, address and options in one expression.
  const worker = new Worker(new URL('../../workers/analysis.worker.ts', import.meta.url), {
    type: 'module',
    name: 'analysis',
  });
  const port: AnalysisPort = {
    onmessage: null,
    onlost: null,
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
  };
  worker.onmessage = ({ data }: MessageEvent<FromAnalysis>) => port.onmessage?.(data);
  worker.onerror = (event) => port.onlost?.(event.message || 'the worker could not be started');
  worker.onmessageerror = () => port.onlost?.('a message from the worker could not be read');
  return port;
}
