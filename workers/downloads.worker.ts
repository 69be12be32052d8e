import { serveWorker } from './serving/serve.ts';
import { problemFrom } from './downloads/hub.ts';
import { createDownloadTasks } from './downloads/tasks.ts';

serveWorker(self, 'downloads', createDownloadTasks(), { failureOf: problemFrom });
