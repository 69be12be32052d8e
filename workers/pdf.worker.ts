// The parser of pdf.js serves the port of the worker that it runs in. The legacy build brings what browsers of the last
// years lack.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { tellRequests } from './serving/tell-requests.ts';

tellRequests(self, 'pdf');
