import type { ToAnalysis } from '../src/protocol/analysis-tasks.ts';
import { createAnalyst } from './analysis/analyst.ts';

const take = createAnalyst((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToAnalysis>) => take(data);
