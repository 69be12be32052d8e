import { restoreJson } from './native-json.ts'; // first: it stores the functions that the next import replaces
import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { listen, spawnPdf } from '../../scheduler/spawn.ts';
import { createWatchdog } from '../../scheduler/task-port.ts';
import { type PageItemPart, UnreadableFile } from '../document.ts';

restoreJson();

/** A PDF that is open in a worker of its own, until `close`. */
interface OpenPdf {
  readonly pdf: PDFDocumentProxy;
  /** Aborted when the caller's is, and with an `UnreadableFile` when the worker died: pdf.js then settles nothing. */
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** An image of more pixels is not drawn: it would need more memory than a phone has. */
const MAX_IMAGE_PIXELS = 32 * 2 ** 20;

/** A worker that has sent nothing by then was ended while it started: it holds no lock yet whose release would show that. */
const START_MS = 60_000;

/**
 * Opens a PDF without running its scripts or filling in its forms, and without the decoders and fonts that pdf.js would
 * fetch.
 *
 * @param bytes  are transferred to the worker, so the caller's array is empty afterwards
 * @param given  aborted: the worker ends, also while the file opens
 * @throws {UnreadableFile} `encrypted` or `damaged`; also when the worker dies
 * @throws the reason of the signal
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, given?: AbortSignal): Promise<OpenPdf> {
  given?.throwIfAborted();
  const lost = new AbortController();
  const signal = given ? AbortSignal.any([given, lost.signal]) : lost.signal;
  const port = 'Worker' in globalThis ? spawnPdf() : null; // Node has none; pdf.js then parses where it is called
  const lose = (reason: string) => lost.abort(lostWorker(reason));
  const stopListening = port && listen(port, lose);
  const start = createWatchdog({ silenceMs: START_MS, onSilent: () => lose('it did not start') });
  if (port) start.extend();
  port?.addEventListener('message', start.stop, { once: true });
  const worker = port ? PDFWorker.create({ port }) : undefined;
  const task = getDocument({
    data: bytes,
    ...(worker && { worker }),
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: 0,
  });
  const terminate = () => {
    start.stop();
    stopListening?.();
    port?.terminate(); // a hostile file may keep it busy forever
  };
  signal.addEventListener('abort', terminate, { once: true });
  const close = async () => {
    signal.removeEventListener('abort', terminate);
    await untilAborted(task.destroy(), signal).catch(() => undefined); // a terminated worker does not answer
    worker?.destroy();
    terminate();
  };
  try {
    const pdf = await untilAborted(task.promise, signal);
    if (!port) restoreJson(); // what its worker's script has replaced too
    return { pdf, signal, close };
  } catch (cause) {
    await close();
    signal.throwIfAborted();
    const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
    throw new UnreadableFile(name === 'PasswordException' ? 'encrypted' : 'damaged', message, { cause }); // pdf.js does not export its class
  }
}

function lostWorker(reason: string): UnreadableFile {
  return new UnreadableFile('damaged', `the worker was lost: ${reason}`);
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A canvas for a page, and above it a layer for its text, to be marked, selected and read aloud. */
interface PagePlace {
  readonly canvas: HTMLCanvasElement;
  readonly layer: HTMLElement;
  /** CSS pixels. */
  readonly width: number;
}

/** A part of a page's text, and the kind of its mark. */
export interface ItemMark extends PageItemPart {
  readonly kind: string;
}

/** A page that has been drawn. */
export interface DrawnPage {
  /** Replaces the marks of the page by these, which do not overlap. @returns them in the order of the page */
  mark(marks: readonly ItemMark[]): readonly HTMLElement[];
}

/** More pixels per CSS pixel cost memory without a visible difference. */
const MAX_DENSITY = 2;

/** Pages of a PDF to be drawn, until `close`. */
export type Pages = Awaited<ReturnType<typeof openPages>>;

/** Opens a file that `readPdf` has read. */
export async function openPages(file: Blob, signal: AbortSignal) {
  const opened = await openPdf(new Uint8Array(await file.arrayBuffer()), signal);
  return {
    close: opened.close,
    /**
     * @throws the reason of the signal, or of that of `openPages`
     * @throws {UnreadableFile} when the worker died
     */
    async draw(index: number, place: PagePlace, drawing: AbortSignal): Promise<DrawnPage> {
      const ended = AbortSignal.any([drawing, opened.signal]);
      const page = await untilAborted(opened.pdf.getPage(index + 1), ended);
      return untilAborted(drawPage(page, place, ended), ended);
    },
  };
}

async function drawPage(page: PDFPageProxy, { canvas, layer, width }: PagePlace, signal: AbortSignal) {
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  const density = Math.min(MAX_DENSITY, globalThis.devicePixelRatio || 1);
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  const task = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
  const abort = () => task.cancel();
  signal.addEventListener('abort', abort);
  try {
    layer.replaceChildren();
    layer.style.setProperty('--total-scale-factor', String(viewport.scale));
    const text = new TextLayer({ textContentSource: await page.getTextContent(), container: layer, viewport });
    await Promise.all([task.promise, text.render()]);
    const { textDivs, textContentItemsStr: texts } = text;
    return { mark: (marks: readonly ItemMark[]) => markIn(textDivs, texts, marks) };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function markIn(elements: readonly HTMLElement[], texts: readonly string[], marks: readonly ItemMark[]): HTMLElement[] {
  const byItem = new Map<number, ItemMark[]>();
  for (const mark of marks) byItem.set(mark.item, [...(byItem.get(mark.item) ?? []), mark]);
  return elements.flatMap((element, item) => {
    const itemMarks = byItem.get(item);
    const text = texts[item] ?? '';
    if (!itemMarks && element.childElementCount === 0) return [];
    let end = 0;
    const nodes: (string | HTMLElement)[] = [];
    for (const { from, length, kind } of (itemMarks ?? []).toSorted((a, b) => a.from - b.from)) {
      const mark = document.createElement('mark');
      mark.dataset['kind'] = kind;
      mark.textContent = text.slice(from, from + length);
      nodes.push(text.slice(end, from), mark);
      end = from + length;
    }
    element.replaceChildren(...nodes, text.slice(end));
    return nodes.filter((node) => typeof node !== 'string');
  });
}
