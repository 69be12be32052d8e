import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type FileContent, type PagePiece, type ReadOptions, UnreadableFile } from '../document.ts';
import { hiddenLayersOf, withoutHidden } from './hidden-layers.ts';
import { flowOf } from './paragraphs.ts';
import { drawnText, isSpaced } from './letter-spacing.ts';
import { linesOf } from './page-lines.ts';
import { openPdf, untilAborted } from './pdf-library.ts';
import { pageText } from './page-text.ts';
import { type FileSurvey, surveyOf } from './file-survey.ts';
import type { UnreadKind } from './parser-losses.ts';
import { type PageLines, runningLines } from './running-lines.ts';
import { turned } from './text-frame.ts';
import { withoutUnseen } from './unseen-text.ts';
import { withoutUnmapped } from './unmapped-fonts.ts';
import type { Span } from '../../contract/code-points.ts';
import type { UnreadPart } from '../../contract/qa.ts';

/** Most pages that are read. */
const MAX_PAGES = 3_000;

/** Most text items of a file. */
const MAX_ITEMS = 3_000_000;

type OpenPdf = Awaited<ReturnType<typeof openPdf>>;
type Layers = Awaited<ReturnType<typeof hiddenLayersOf>>;

/**
 * The text of a PDF, and the place of each part of it on the pages.
 *
 * @param bytes  are moved to a worker, so the array is empty afterwards
 * @throws {UnreadableFile} `encrypted`, `damaged`, `too_long`, `overflow` or `too_slow`; `damaged` also when the worker dies
 * @throws the reason of the signal
 */
export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  { signal, onProgress }: ReadOptions,
): Promise<FileContent> {
  const survey = await surveyOf(bytes); // before they are moved
  const opened = await openPdf(bytes, signal);
  try {
    const [layers, missing] = await untilAborted(
      Promise.all([survey.mayHave('OCProperties') ? hiddenLayersOf(opened.pdf) : null, missingIn(opened.pdf, survey)]),
      opened.signal,
    );
    const pages = await readPages(opened, { layers, survey }, onProgress);
    const { numbers, repeated, kept } = runningLines(pages);
    const fonts = new Set(pages.flatMap(({ unmapped }) => [...unmapped]));
    const onPages = pages.flatMap((page) => page.unread);
    const scans = onPages.filter((kind) => kind === 'textless_page').length; // a scan is a picture
    const unread = [
      ...onPages,
      ...Array.from({ length: survey.pictures - scans }, () => 'picture' as const),
      ...Array.from(fonts, () => 'font' as const),
      ...opened.losses.values(),
      ...missing,
      ...Array.from(numbers, () => 'page_number' as const),
      ...Array.from(repeated, () => 'running_head' as const),
    ];
    const placed = pages.flatMap(({ lines }, page) => lines.map((line) => ({ line, page })));
    const { text, pieces } = flowOf(
      placed.filter(({ line }) => !numbers.has(line) && !repeated.has(line) && !kept.has(line)),
      placed.filter(({ line }) => kept.has(line)),
    );
    const spans = spansOf(pieces, pages.length);
    const sized = pages.map(({ width, height }, i) => ({ start: 0, length: 0, ...spans[i], width, height }));
    return { text, layout: { type: 'pages', pages: sized, pieces }, unread: countsOf(unread) };
  } finally {
    await opened.close();
  }
}

interface ReadPage extends PageLines {
  readonly width: number;
  readonly height: number;
  readonly items: number;
  readonly unread: readonly UnreadKind[];
  /** Names of fonts without a table of their characters. */
  readonly unmapped: ReadonlySet<string>;
}

/** What is known of a file before its pages are read. */
interface Given {
  readonly layers: Layers;
  readonly survey: FileSurvey;
}

async function readPages(opened: OpenPdf, given: Given, onProgress: ReadOptions['onProgress']): Promise<ReadPage[]> {
  const { numPages } = opened.pdf;
  if (numPages > MAX_PAGES) throw new UnreadableFile('too_long', `${numPages} pages`);
  const pages: ReadPage[] = [];
  let items = 0;
  for (let number = 1; number <= numPages; number++) {
    const page = await untilAborted(readPage(opened, number, given), opened.signal);
    pages.push(page);
    items += page.items;
    if (items > MAX_ITEMS) throw new UnreadableFile('too_long', `more than ${MAX_ITEMS} items`);
    onProgress?.(number, numPages);
    opened.signal.throwIfAborted();
  }
  return pages;
}

/** A page that cannot be parsed makes the file damaged: an answer might be on it. */
async function readPage(
  { pdf, dictionaries, nextStep }: OpenPdf,
  number: number,
  { layers, survey }: Given,
): Promise<ReadPage> {
  nextStep();
  try {
    const page = await pdf.getPage(number);
    const text = await pageText(page, dictionaries, survey.mayHave);
    const { width, height } = page.getViewport({ scale: 1 });
    const shown = layers ? await withoutHidden(page, text, layers) : { items: text.items, hasHidden: false };
    const seen = withoutUnseen({ ...text, items: shown.items }, dictionaries, page.userUnit);
    const { items, unmapped, symbols } = withoutUnmapped(seen);
    const drawn = items.some(({ str }) => isSpaced(str)) ? await drawnText(page) : '';
    page.cleanup();
    const lines = linesOf({ ...text, items }, drawn);
    const isTextless = lines.length === 0 && unmapped.size === 0;
    const unread = [
      ...text.unread,
      ...(isTextless ? (['textless_page'] as const) : []),
      ...(shown.hasHidden || seen.hasUnseen || dictionaries.hasOutside ? (['hidden_text'] as const) : []),
      ...Array.from({ length: symbols }, () => 'symbol' as const),
      ...Array.from(dictionaries.strikes, () => 'struck_text' as const),
    ];
    return { lines, edgesAt: edgesOf(page), width, height, items: items.length, unread, unmapped };
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause;
    throw new UnreadableFile('damaged', `page ${number}`, { cause });
  }
}

/** Upper and lower end of a page for text of an angle. */
function edgesOf({ view }: PDFPageProxy): PageLines['edgesAt'] {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  return (angle) => {
    const ys = [left, right].flatMap((x) => [bottom, top].map((y) => turned(x, y, -angle)[1]));
    return [Math.max(...ys), Math.min(...ys)];
  };
}

/** What is missing from the file as a whole. */
async function missingIn(pdf: OpenPdf['pdf'], { mayHave }: FileSurvey): Promise<UnreadKind[]> {
  const [attachments, metadata] = await Promise.all([
    mayHave('EmbeddedFiles') ? pdf.getAttachments() : null,
    mayHave('XFA') ? pdf.getMetadata() : null,
  ]);
  const { IsXFAPresent: hasXfa, IsAcroFormPresent: hasFields } = (metadata?.info ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const attached = Object.keys(attachments ?? {}).map(() => 'attachment' as const);
  return [...attached, ...(hasXfa === true && hasFields !== true ? (['form'] as const) : [])];
}

/** Each kind once, with how often it is there. */
function countsOf(kinds: readonly UnreadKind[]): UnreadPart[] {
  const counts = new Map<UnreadKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

/** The span of each page that has text. */
function spansOf(pieces: readonly PagePiece[], count: number): (Span | undefined)[] {
  const spans: (Span | undefined)[] = Array.from({ length: count });
  for (const { page, start, length } of pieces) {
    const first = spans[page]?.start ?? start;
    spans[page] = { start: first, length: start + length - first };
  }
  return spans;
}
