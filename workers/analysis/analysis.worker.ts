import type { ToAnalysis } from '../../src/protocol/analysis-tasks.ts';
import { createAnalyst } from './analyst.ts';

const take = createAnalyst((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToAnalysis>) => take(data);
