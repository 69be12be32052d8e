import { restoreJson } from './native-json.ts'; // first: it keeps what the next import replaces
import { getDocument, PDFWorker, type PDFDocumentProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { spawnPdf } from '../../scheduler/spawn.ts';
import { UnreadableFile } from '../unreadable-file.ts';

restoreJson();

/** Lays the text of a page out; from here, so that no other file imports pdf.js before `native-json.ts`. */
export { TextLayer };

/** A PDF that is open in a worker of its own, until `close`. */
export interface OpenPdf {
  readonly pdf: PDFDocumentProxy;
  close(): Promise<void>;
}

/** An image of more pixels is left out when a page is drawn: it would take more memory than a phone has. */
const MOST_IMAGE_PIXELS = 32 * 2 ** 20;

/**
 * Opens a PDF. It can start nothing and fetch nothing: no script of it is run, no form is filled in, and decoders and fonts
 * that pdf.js would fetch are left out.
 *
 * @param bytes  are moved to the worker, so the caller's array is empty afterwards
 * @throws {UnreadableFile} `encrypted` or `damaged`
 * @throws the reason of the signal, also while it opens
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<OpenPdf> {
  signal?.throwIfAborted();
  const port = 'Worker' in globalThis ? spawnPdf() : null; // Node has none; pdf.js then parses where it is called
  const worker = port ? PDFWorker.create({ port }) : undefined;
  const task = getDocument({
    ...{ data: bytes, ...(worker && { worker }) },
    ...{ isEvalSupported: false, enableXfa: false, useWasm: false, useWorkerFetch: false, stopAtErrors: false },
    ...{ maxImageSize: MOST_IMAGE_PIXELS, verbosity: 0 },
  });
  const close = async () => {
    signal?.removeEventListener('abort', abort);
    await task.destroy();
    worker?.destroy();
    port?.terminate();
  };
  const abort = () => {
    port?.terminate(); // it may be busy without end with a file made for that
    void close();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const pdf = await untilAborted(task.promise, signal);
    if (!port) restoreJson(); // what its worker's script has replaced too
    return { pdf, close };
  } catch (cause) {
    await close();
    signal?.throwIfAborted();
    const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
    throw new UnreadableFile(name === 'PasswordException' ? 'encrypted' : 'damaged', message, { cause }); // its class is kept back
  }
}

/** Rejects with the signal's reason as soon as it is aborted, whatever becomes of the promise. */
export function untilAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
