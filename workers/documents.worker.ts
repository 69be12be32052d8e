import { extractText } from './operations/extract-text.ts';
import { serveWorker } from './serving/serve.ts';

serveWorker(self, 'documents', { extractText });
