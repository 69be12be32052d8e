import { useEffect, useRef, useState } from 'react';
import { pageAt, type PagesLayout } from '../../../files/document.ts';
import type { Pages } from '../../../files/pdf/open-pages.ts';
import type { Answer } from '../../../state/documents/answers.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { PageSheet } from './page-sheet.tsx';
import type { Reveal } from './use-reveal.ts';
import { useWidth } from './use-width.ts';
import styles from './pages-view.module.css';

/** See `PagesView`. */
export interface PagesViewProps {
  readonly file: File;
  readonly layout: PagesLayout;
  readonly answer: Answer | null;
  readonly onMarked: Reveal;
}

/** The pages of a PDF as they look, those in sight drawn, with the answer and its sentence marked. */
export function PagesView({ file, layout, answer, onMarked }: PagesViewProps) {
  const words = documentsWords().view;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const pages = useOpenPages(file);
  useEffect(() => {
    if (!answer || width === 0) return;
    // The page first: it is drawn once it is in sight, and its marks are brought there then.
    frame.current?.children[pageAt(layout, answer.answer.start)]?.scrollIntoView({ block: 'nearest' });
  }, [answer, layout, width]);
  return (
    <div ref={frame} className={styles.pages}>
      {pages === 'failed' && <p role="alert">{words.openFailed}</p>}
      {layout.pages
        .map((_, index) => index)
        .map((page) => (
          <PageSheet
            key={page}
            {...{ page, layout, answer, width, onMarked }}
            pages={pages === 'failed' ? null : pages}
          />
        ))}
    </div>
  );
}

/** The file, open for drawing; null until it is. */
function useOpenPages(file: File): Pages | 'failed' | null {
  const [pages, setPages] = useState<Pages | 'failed' | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let opened: Pages | null = null;
    const open = async () => {
      const { openPages } = await import('../../../files/pdf/open-pages.ts');
      opened = await openPages(file, leaving.signal);
      if (leaving.signal.aborted) await opened.close();
      else setPages(opened);
    };
    open().catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      console.error(error);
      setPages('failed');
    });
    return () => {
      leaving.abort();
      void opened?.close();
    };
  }, [file]);
  return pages;
}
