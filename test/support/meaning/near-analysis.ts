import { type Analysis, createAnalysis } from '../../../src/analysis/analysis.ts';
import type { AnalysisPort } from '../../../src/analysis/analysis-port.ts';
import { createAnalyst } from '../../../workers/analysis/analyst.ts';

/** The real analysis with its worker's code beside it: messages are copied, as between threads. */
export function createNearAnalysis(): Analysis {
  return createAnalysis(() => {
    const port: AnalysisPort = {
      onmessage: null,
      onlost: null,
      postMessage: (message) => take(structuredClone(message)),
      terminate: () => undefined,
    };
    const take = createAnalyst((message) => queueMicrotask(() => port.onmessage?.(structuredClone(message))));
    return port;
  });
}
