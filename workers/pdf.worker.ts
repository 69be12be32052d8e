// The parser of pdf.js serves the port of the worker that it runs in. The legacy build brings what browsers of the last
// years lack.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { hasInvisible } from '../src/contract/wire/invisible-text.ts';
import { guardParser, NEXT_STEP, type ParserReport } from '../src/files/pdf/guard/parser-guard.ts';
import { holdLifeLock, reportRequests } from './serving/liveness.ts';

const guard = guardParser((report: ParserReport) => self.postMessage(report), hasInvisible);
self.addEventListener('message', ({ data }: MessageEvent<Partial<typeof NEXT_STEP> | null>) => {
  if (data?.type === NEXT_STEP.type) guard.nextStep();
});

holdLifeLock(self, navigator.locks); // pdf.js passes over messages that are not its own
reportRequests(self, 'pdf');
