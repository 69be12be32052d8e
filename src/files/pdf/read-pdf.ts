import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ReadDocument, ReadOptions } from '../document.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { linesOf, type Line } from './lines.ts';
import { bodyLines } from './margins.ts';
import { openPdf, untilAborted } from './pdf-library.ts';
import { flowOf } from './text-flow.ts';

/** Pages that are read at most. */
export const MOST_PAGES = 3_000;

/**
 * The text of a PDF, and where each stretch of it stands on its pages.
 *
 * @param bytes  are moved to a worker, so the array is empty afterwards
 * @throws {UnreadableFile} `encrypted`, `damaged` or `too_long`
 * @throws the reason of the signal
 */
export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  { signal, onProgress }: ReadOptions,
): Promise<Pick<ReadDocument, 'text' | 'layout'>> {
  const { pdf, close } = await openPdf(bytes, signal);
  try {
    const { numPages } = pdf;
    if (numPages > MOST_PAGES) throw new UnreadableFile('too_long', `${numPages} pages`);
    const pages: PageLines[] = [];
    for (let number = 1; number <= numPages; number++) {
      pages.push(await untilAborted(readPage(pdf, number), signal));
      onProgress?.(number, numPages);
      signal?.throwIfAborted();
    }
    const { text, pieces, pages: spans } = flowOf(bodyLines(pages.map(({ lines }) => lines)));
    const sized = pages.map(({ width, height }, i) => ({ start: 0, length: 0, ...spans[i], width, height }));
    return { text, layout: { type: 'pages', pages: sized, pieces } };
  } finally {
    await close();
  }
}

interface PageLines {
  readonly lines: Line[];
  readonly width: number;
  readonly height: number;
}

/** A page that cannot be parsed is a damaged file: an answer might stand on it. */
async function readPage(pdf: PDFDocumentProxy, number: number): Promise<PageLines> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const { width, height } = page.getViewport({ scale: 1 });
    page.cleanup();
    return { lines: linesOf(items), width, height };
  } catch (cause) {
    throw new UnreadableFile('damaged', `page ${number}`, { cause });
  }
}
