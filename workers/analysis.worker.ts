import { serveWorker } from './serving/serve.ts';
import { createAnalysisTasks } from './analysis/tasks.ts';

serveWorker(self, 'analysis', createAnalysisTasks());
