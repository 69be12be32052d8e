import { restoreFunctions } from './native-functions.ts'; // first: it stores the functions that the next import replaces
import { PDFWorker, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { listen, spawnPdf } from '../../scheduler/spawn.ts';
import { createWatchdog } from '../../scheduler/task-port.ts';
import { hasInvisible } from '../../contract/wire/invisible-text.ts';
import { guardParser, NEXT_STEP, type ParserReport } from './guard/parser-guard.ts';

restoreFunctions();

/** What the reader of a file is told of its parser. */
interface ParserEvents {
  readonly onReport: (report: ParserReport) => void;
  readonly onLost: (reason: string) => void;
}

/** A parser of pdf.js that reads one file at a time. */
interface Parser {
  readonly worker: PDFWorker;
  /** Settles when it has loaded. */
  readonly ready: Promise<unknown>;
  /** Begins a new allowance for unpacked bytes. */
  nextStep(): void;
  /** Ends it, even while it is busy. */
  end(): void;
  /** Keeps it for the next file; it has closed its own. */
  release(): void;
}

/** A worker that has sent nothing by then was ended while it started: it holds no lock yet whose release would show that. */
const START_MS = 60_000;

/** A file's time begins by then, if the parser has been loaded before: a machine may be busy, but no longer. */
const MAX_START_MS = 3_000;

/** A parser without a file ends after this time. */
const IDLE_MS = 30_000;

/** Only such messages say that a stream was cut. */
const verbosity = VerbosityLevel.INFOS;

/** The script of the worker has come once, so the next worker starts without waiting for the network. */
let hasLoaded = false;

/** To start a parser takes fifty times as long as to read a page. */
let idle: ReturnType<typeof startWorker> | null = null;

/** A parser in a worker of its own; in Node, which has no such workers, in this thread. */
export function takeParser(events: ParserEvents): Parser {
  if (!('Worker' in globalThis)) return parserInThread(events);
  const parser = idle ?? startWorker();
  idle = null;
  parser.begin(events);
  const { worker, nextStep, end, loaded } = parser;
  const release = () => {
    if (idle) return end();
    idle = parser;
    parser.rest();
  };
  return { worker, ready: hasLoaded ? Promise.race([loaded, delay(MAX_START_MS)]) : loaded, nextStep, end, release };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function parserInThread({ onReport }: ParserEvents): Parser {
  const guard = guardParser(onReport, hasInvisible);
  const worker = PDFWorker.create({ verbosity });
  const end = () => {
    worker.destroy();
    guard.remove();
    restoreFunctions(); // which the script of its worker has replaced too
  };
  return { worker, ready: worker.promise, nextStep: guard.nextStep, end, release: end };
}

function startWorker() {
  const port = spawnPdf();
  let user: ParserEvents | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const lose = (reason: string) => (user ? user.onLost(reason) : end());
  const stopListening = listen(port, lose);
  const start = createWatchdog({ silenceMs: START_MS, onSilent: () => lose('it did not start') });
  start.extend();
  port.addEventListener('message', start.stop, { once: true });
  const loaded = new Promise<void>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<ParserReport | { readonly type?: never }>) => {
      if (data.type !== undefined) return user?.onReport(data);
      hasLoaded = true; // a message of pdf.js
      resolve();
    });
  });
  const worker = PDFWorker.create({ port, verbosity });
  const nextStep = () => port.postMessage(NEXT_STEP);
  function end() {
    if (idle?.worker === worker) idle = null;
    clearTimeout(resting);
    start.stop();
    stopListening();
    worker.destroy();
    port.terminate();
  }
  const begin = (events: ParserEvents) => {
    clearTimeout(resting);
    user = events;
    nextStep();
  };
  const rest = () => {
    user = null;
    resting = setTimeout(end, IDLE_MS);
  };
  return { worker, loaded, nextStep, begin, rest, end };
}
