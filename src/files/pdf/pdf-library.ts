import { takeParser } from './parser.ts'; // first: it restores the functions that the next import replaces
import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type PageItemPart, UnreadableFile } from '../document.ts';
import { limitTime } from '../time-limit.ts';
import { pageText } from './page-text.ts';
import type { PageBox } from './guard/boxes.ts';
import type { Dictionaries } from './guard/parser-maps.ts';
import { lossOf, type UnreadKind } from './parser-losses.ts';

/** A PDF that is open in a parser, until `close`. */
interface OpenPdf {
  readonly pdf: PDFDocumentProxy;
  /**
   * Aborted when the caller's is, and with an `UnreadableFile` when the worker died, unpacks too much or takes too long: pdf.js
   * then settles nothing.
   */
  readonly signal: AbortSignal;
  /** Messages of pdf.js after which a part of the file is missing, with the kind of that part. */
  readonly losses: ReadonlyMap<string, UnreadKind>;
  readonly dictionaries: Dictionaries;
  /** To be called before each page: the allowance for unpacked bytes begins again, and there is more time. */
  nextStep(): void;
  close(): Promise<void>;
}

/** An image of more pixels is not drawn: it would need more memory than a phone has. */
const MAX_IMAGE_PIXELS = 32 * 2 ** 20;

/**
 * Opens a PDF without running its scripts, and without the decoders, fonts and tables that pdf.js would fetch.
 *
 * @param bytes  are transferred to the worker, so the caller's array is empty afterwards
 * @param given  aborted: the worker ends, also while the file opens
 * @param isTimed  false where a person may look at the file for any time
 * @throws {UnreadableFile} `encrypted`, `damaged`, `overflow` or `too_slow`; also when the worker dies
 * @throws the reason of the signal
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, given?: AbortSignal, isTimed = true): Promise<OpenPdf> {
  given?.throwIfAborted();
  const lost = new AbortController();
  const signal = given ? AbortSignal.any([given, lost.signal]) : lost.signal;
  const losses = new Map<string, UnreadKind>();
  const actualTexts = new Map<number, string>();
  const strikes = new Set<number>();
  const pictures: PageBox[] = [];
  const dictionaries = { actualTexts, hasDingbats: false, hasOutside: false, hasCovered: false, strikes, pictures };
  const parser = takeParser({
    onReport(report) {
      const loss = report.type === 'parser-warning' ? lossOf(report.text) : null;
      if (report.type === 'parser-warning' && loss) losses.set(report.text, loss);
      if (report.type === 'parser-actual-text') actualTexts.set(report.id, report.text);
      if (report.type === 'parser-dingbats') dictionaries.hasDingbats = true;
      if (report.type === 'parser-outside') dictionaries.hasOutside = true;
      if (report.type === 'parser-covered') dictionaries.hasCovered = true;
      if (report.type === 'parser-struck') strikes.add(report.line);
      if (report.type === 'parser-picture') dictionaries.pictures.push(report.box);
      if (report.type === 'parser-overflow')
        lost.abort(new UnreadableFile('overflow', `${report.bytes} bytes unpacked`));
    },
    onLost: (reason) => lost.abort(lostWorker(reason)),
  });
  const time = isTimed
    ? limitTime(bytes.length, parser.ready, () => lost.abort(new UnreadableFile('too_slow', 'out of time')))
    : null;
  const end = () => {
    time?.stop();
    parser.end(); // a hostile file may keep it busy forever
  };
  const task = getDocument({ ...SETTINGS, data: bytes, worker: parser.worker });
  signal.addEventListener('abort', end, { once: true });
  const close = async () => {
    signal.removeEventListener('abort', end);
    const isIdle = await untilAborted(task.destroy(), signal).then(
      () => true,
      () => false, // a terminated worker does not answer
    );
    time?.stop();
    if (isIdle) parser.release();
    else parser.end();
  };
  try {
    const pdf = await untilAborted(task.promise, signal);
    const nextStep = () => {
      parser.nextStep();
      strikes.clear();
      Object.assign(dictionaries, { hasOutside: false, hasCovered: false, pictures: [] });
      time?.pageRead();
    };
    return { pdf, signal, losses, dictionaries, nextStep, close };
  } catch (cause) {
    await close();
    signal.throwIfAborted();
    throw unopened(cause);
  }
}

const SETTINGS = {
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: true, // as in a browser: elsewhere pdf.js would try to fetch others
  useWasm: false,
  useWorkerFetch: false,
  stopAtErrors: false,
  maxImageSize: MAX_IMAGE_PIXELS,
  verbosity: VerbosityLevel.ERRORS, // of the page; that of the parser is its worker's
} as const;

/** pdf.js does not export the classes of its errors. */
function unopened(cause: unknown): UnreadableFile {
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  const isEncrypted = name === 'PasswordException' || /encryption/i.test(message);
  return new UnreadableFile(isEncrypted ? 'encrypted' : 'damaged', message, { cause });
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
  /** Whether a picture is missing: JPEG 2000, of which pdf.js has no decoder here, too large or damaged. */
  readonly lacksPicture: boolean;
  /** Replaces the marks of the page by these, which do not overlap. @returns them in the order of the page */
  mark(marks: readonly ItemMark[]): readonly HTMLElement[];
}

/** More pixels per CSS pixel cost memory without a visible difference. */
const MAX_DENSITY = 2;

/** Pages of a PDF to be drawn, until `close`. */
export type Pages = Awaited<ReturnType<typeof openPages>>;

/** Opens a file that `readPdf` has read. */
export async function openPages(file: Blob, signal: AbortSignal) {
  const opened = await openPdf(new Uint8Array(await file.arrayBuffer()), signal, false);
  return {
    close: opened.close,
    /**
     * @throws the reason of the signal, or of that of `openPages`
     * @throws {UnreadableFile} when the worker died
     */
    async draw(index: number, place: PagePlace, drawing: AbortSignal): Promise<DrawnPage> {
      const ended = AbortSignal.any([drawing, opened.signal]);
      opened.nextStep();
      const page = await untilAborted(opened.pdf.getPage(index + 1), ended);
      return untilAborted(drawPage(page, opened.dictionaries, place, ended), ended);
    },
  };
}

async function drawPage(
  page: PDFPageProxy,
  dictionaries: Dictionaries,
  { canvas, layer, width }: PagePlace,
  signal: AbortSignal,
) {
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
    const text = new TextLayer({ textContentSource: await pageText(page, dictionaries), container: layer, viewport });
    await Promise.all([task.promise, text.render()]);
    const { textDivs, textContentItemsStr: texts } = text;
    const lacksPicture = [...page.objs].some(([, picture]) => picture === null);
    return { lacksPicture, mark: (marks: readonly ItemMark[]) => markIn(textDivs, texts, marks) };
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
