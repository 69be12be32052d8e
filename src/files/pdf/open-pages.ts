import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ItemPart } from '../document.ts';
import { openPdf, TextLayer } from './pdf-library.ts';

/** Pages of a PDF to be drawn, until `close`. */
export interface Pages {
  /** @throws the reason of the signal */
  draw(page: number, on: PagePlace, signal: AbortSignal): Promise<DrawnPage>;
  close(): Promise<void>;
}

/** Where a page is drawn: a canvas, and above it a layer that gets its text, to be marked, selected and read aloud. */
export interface PagePlace {
  readonly canvas: HTMLCanvasElement;
  readonly layer: HTMLElement;
  /** CSS pixels. */
  readonly width: number;
}

/** A part of a page's text, with the name of how it is marked. */
export interface ItemMark extends ItemPart {
  readonly kind: string;
}

/** A page that has been drawn. */
export interface DrawnPage {
  /** Marks parts that do not overlap, and nothing else. @returns the marks in the order of the page */
  mark(marks: readonly ItemMark[]): readonly HTMLElement[];
}

/** More pixels for each CSS pixel cost memory and show nothing. */
const MOST_DENSITY = 2;

/** Opens a file that `readPdf` has read. */
export async function openPages(file: Blob, signal: AbortSignal): Promise<Pages> {
  const { pdf, close } = await openPdf(new Uint8Array(await file.arrayBuffer()), signal);
  return {
    close,
    async draw(index, place, drawing) {
      const page = await pdf.getPage(index + 1);
      drawing.throwIfAborted();
      return drawPage(page, place, drawing);
    },
  };
}

async function drawPage(page: PDFPageProxy, { canvas, layer, width }: PagePlace, signal: AbortSignal) {
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  const density = Math.min(MOST_DENSITY, globalThis.devicePixelRatio || 1);
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
    const own = byItem.get(item);
    const text = texts[item] ?? '';
    if (!own && element.childElementCount === 0) return [];
    let end = 0;
    const nodes: (string | HTMLElement)[] = [];
    for (const { from, length, kind } of (own ?? []).toSorted((a, b) => a.from - b.from)) {
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
