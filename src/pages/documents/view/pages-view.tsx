import type { DrawnPage, ItemMark, Pages } from '../../../files/pdf/pdf-library.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type DocumentAnswer, segmentsOf } from '../answers.ts';
import { documentsWords } from '../words.en.ts';
import { pageAt, type PagesLayout, partsOn } from '../../../files/document.ts';
import { numberText } from '../../../words/language.ts';
import styles from './pages-view.module.css';

interface Marking {
  readonly layout: PagesLayout;
  readonly answer: DocumentAnswer | null;
  /** Called with the first mark of an answer on a page. */
  readonly onMarked: (mark: HTMLElement, answer: DocumentAnswer) => void;
}

/** The pages of a PDF, drawn when they come near the visible part, with the answer and its sentence marked. */
export function PagesView({ file, layout, answer, onMarked }: Marking & { readonly file: File }) {
  const words = documentsWords().view;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const pages = useOpenPages(file);
  useEffect(() => {
    if (!answer || width === 0) return;
    // First the page: it is drawn when it is visible, and only then has marks to scroll to.
    const page =
      frame.current?.querySelectorAll<HTMLElement>('[data-testid="page"]')[pageAt(layout, answer.answer.start)];
    const frameAround = page?.closest('[role="region"]');
    if (page && frameAround && page.dataset['drawn'] === undefined) frameAround.scrollTop = page.offsetTop;
  }, [answer, layout, width]);
  return (
    <div ref={frame} className={styles.pages}>
      {pages === 'failed' && <p role="alert">{words.openFailed}</p>}
      {[...layout.pages.keys()].map((page) => (
        <PageView
          key={page}
          page={page}
          layout={layout}
          answer={answer}
          width={width}
          onMarked={onMarked}
          pages={pages === 'failed' ? null : pages}
        />
      ))}
    </div>
  );
}

/** The file, opened for drawing; null until then. */
function useOpenPages(file: File): Pages | 'failed' | null {
  const [pages, setPages] = useState<Pages | 'failed' | null>(null);
  useEffect(() => {
    const unmounting = new AbortController();
    let opened: Pages | null = null;
    const open = async () => {
      const { openPages } = await import('../../../files/pdf/pdf-library.ts');
      opened = await openPages(file, unmounting.signal);
      if (unmounting.signal.aborted) await opened.close();
      else setPages(opened);
    };
    open().catch((error: unknown) => {
      if (unmounting.signal.aborted) return;
      console.error(error);
      setPages('failed');
    });
    return () => {
      unmounting.abort();
      void opened?.close();
    };
  }, [file]);
  return pages;
}

interface PageViewProps extends Marking {
  /** Index. */
  readonly page: number;
  /** Null until the file is open. */
  readonly pages: Pages | null;
  /** CSS pixels. */
  readonly width: number;
}

/** Distance from the visible part within which pages are drawn. */
const NEAR = '800px';

/** One page: an empty sheet until it is near. */
function PageView({ page, layout, answer, pages, width, onMarked }: PageViewProps) {
  const words = documentsWords().view;
  const sheet = useRef<HTMLDivElement>(null);
  const { canvas, layer, drawn, hasFailed } = useDrawn(useIsNear(sheet) ? pages : null, page, width);
  useEffect(() => {
    if (!drawn) return;
    const [first] = drawn.mark(answer ? marksOn(layout, page, answer) : []);
    if (first && answer) onMarked(first, answer);
  }, [drawn, answer, layout, page, onMarked]);
  const size = layout.pages[page];
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      role="group"
      aria-label={words.page(numberText(page + 1), numberText(layout.pages.length))}
      style={{ aspectRatio: size ? `${size.width} / ${size.height}` : undefined }}
      data-testid="page"
      {...(drawn && { 'data-drawn': true })}
    >
      {hasFailed && <p role="alert">{words.drawFailed}</p>}
      {drawn?.lacksPicture && <p className={styles.lack}>{words.lacksPicture}</p>}
      <canvas ref={canvas} className={styles.canvas} aria-hidden />
      <div ref={layer} className={styles.layer} />
    </div>
  );
}

function marksOn(layout: PagesLayout, page: number, answer: DocumentAnswer): ItemMark[] {
  return segmentsOf(answer.sentence, answer).flatMap((segment) =>
    partsOn(layout, page, segment).map((part) => ({ ...part, kind: segment.kind ?? 'sentence' })),
  );
}

/** Whether an element is visible or near the visible part. */
function useIsNear(element: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)?.isIntersecting ?? false), {
      root: element.current.closest('[role="region"]'),
      rootMargin: NEAR,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

/** Draws a page while `pages` is not null, and frees it afterwards. */
function useDrawn(pages: Pages | null, index: number, width: number) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<DrawnPage | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const [surface, text] = [canvas.current, layer.current];
    if (!pages || width === 0 || !surface || !text) return undefined;
    const unmounting = new AbortController();
    pages.draw(index, { canvas: surface, layer: text, width }, unmounting.signal).then(
      (result) => (unmounting.signal.aborted ? undefined : setDrawn(result)),
      (error: unknown) => {
        if (unmounting.signal.aborted) return;
        console.error(error);
        setHasFailed(true);
      },
    );
    return () => {
      unmounting.abort();
      setDrawn(null);
      text.replaceChildren();
      surface.width = surface.height = 0;
    };
  }, [pages, index, width]);
  return { canvas, layer, drawn, hasFailed };
}

/** Pause after the last change of size before it takes effect, ms. */
const REST_MS = 150;

/** Width of an element, CSS pixels; 0 until it is known. Changes take effect after a pause. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasWidth = false;
    const observer = new ResizeObserver(([entry]) => {
      const next = Math.floor(entry?.contentRect.width ?? 0);
      clearTimeout(timer);
      timer = setTimeout(setWidth, hasWidth ? REST_MS : 0, next);
      hasWidth = true;
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element]);
  return width;
}
