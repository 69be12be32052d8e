import { useEffect, useRef, useState } from 'react';
import { type PagesLayout, partsOn } from '../../../files/document.ts';
import type { DrawnPage, ItemMark, Pages } from '../../../files/pdf/open-pages.ts';
import type { Answer } from '../../../state/documents/answers.ts';
import { marksOf } from '../../../state/documents/marks.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { numberText } from '../../../words/numbers.ts';
import type { Reveal } from './use-reveal.ts';
import styles from './pages-view.module.css';

/** See `PageSheet`. */
export interface PageSheetProps {
  /** Index. */
  readonly page: number;
  readonly layout: PagesLayout;
  readonly answer: Answer | null;
  /** null until the file is open. */
  readonly pages: Pages | null;
  /** CSS pixels. */
  readonly width: number;
  readonly onMarked: Reveal;
}

/** Pages are drawn so far ahead of what is in sight. */
const AHEAD = '800px';

/** One page: an empty sheet of its size until it comes near. */
export function PageSheet({ page, layout, answer, pages, width, onMarked }: PageSheetProps) {
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
      <canvas ref={canvas} className={styles.canvas} aria-hidden />
      <div ref={layer} className={styles.layer} />
    </div>
  );
}

function marksOn(layout: PagesLayout, page: number, answer: Answer): ItemMark[] {
  return marksOf(answer).flatMap((segment) =>
    partsOn(layout, page, segment).map((part) => ({ ...part, kind: segment.kind ?? 'sentence' })),
  );
}

/** Whether an element is in sight, or nearly. */
function useIsNear(element: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)?.isIntersecting ?? false), {
      root: element.current.closest('[role="region"]'),
      rootMargin: AHEAD,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

/** Draws a page while there are pages to draw it from; what was drawn is freed when it goes out of sight. */
function useDrawn(pages: Pages | null, index: number, width: number) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<DrawnPage | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const [surface, text] = [canvas.current, layer.current];
    if (!pages || width === 0 || !surface || !text) return undefined;
    const leaving = new AbortController();
    pages.draw(index, { canvas: surface, layer: text, width }, leaving.signal).then(
      (result) => (leaving.signal.aborted ? undefined : setDrawn(result)),
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        console.error(error);
        setHasFailed(true);
      },
    );
    return () => {
      leaving.abort();
      setDrawn(null);
      text.replaceChildren();
      surface.width = surface.height = 0;
    };
  }, [pages, index, width]);
  return { canvas, layer, drawn, hasFailed };
}
