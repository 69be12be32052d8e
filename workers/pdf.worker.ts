// The parser of pdf.js serves the port of the worker that it runs in. The legacy build brings what browsers of the last
// years lack.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { holdLifeLock, reportRequests } from './serving/liveness.ts';

holdLifeLock(self, navigator.locks); // pdf.js passes over messages that are not its own
reportRequests(self, 'pdf');
