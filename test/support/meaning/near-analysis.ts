import { type AnalysisClient, createAnalysisClient } from '../../../src/pages/meaning/analysis-client.ts';
import { createAnalysisTasks } from '../../../workers/analysis/tasks.ts';
import { servedPort } from '../workers/served-port.ts';

/** The real analysis with its worker's code beside it: messages are copied, as between threads. */
export function createNearAnalysis(): AnalysisClient {
  return createAnalysisClient(() => servedPort(createAnalysisTasks()));
}
