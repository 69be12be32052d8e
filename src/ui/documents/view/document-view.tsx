import { useRef } from 'react';
import { readyIn, type ReadyDocument } from '../../../state/documents/listed.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { useStoreValue } from '../../use-stores.ts';
import { DOCUMENT_VIEW } from '../ids.ts';
import { BlocksView } from './blocks-view.tsx';
import { PagesView } from './pages-view.tsx';
import { useReveal } from './use-reveal.ts';
import list from '../list/document-list.module.css';
import styles from './document-view.module.css';

/** The document that is shown, with the chosen answer marked and in sight. */
export function DocumentView() {
  const words = documentsWords().view;
  const list = useStoreValue('documents', (state) => state.list);
  const shown = useStoreValue('documents', (state) => state.shown);
  const ready = readyIn(list);
  const source = ready.find(({ id }) => id === shown) ?? ready[0];
  return (
    <section className={styles.panel} id={DOCUMENT_VIEW} data-testid={DOCUMENT_VIEW}>
      {source ? <Shown key={source.id} source={source} /> : <p className={styles.note}>{words.none}</p>}
    </section>
  );
}

function Shown({ source }: { readonly source: ReadyDocument }) {
  const words = documentsWords().view;
  const chosen = useStoreValue('documents', (state) => state.chosen);
  const hasAnswers = useStoreValue('documents', ({ asked }) => asked !== null);
  const answer = chosen?.document === source.id ? chosen : null;
  const frame = useRef<HTMLDivElement>(null);
  const reveal = useReveal(frame);
  const { name, text, layout } = source.document;
  return (
    <>
      <div className={list.head}>
        <h2 className={styles.title}>
          <bdi>{name}</bdi>
        </h2>
        {hasAnswers && (
          <a className={styles.back} href="#answers" onClick={backToAnswers}>
            {words.back}
          </a>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard */}
      <div ref={frame} className={styles.frame} role="region" aria-label={words.label(name)} tabIndex={0}>
        {layout.type === 'blocks' ? (
          <BlocksView {...{ text, answer }} blocks={layout.blocks} onMarked={reveal} />
        ) : (
          <PagesView {...{ layout, answer }} file={source.file} onMarked={reveal} />
        )}
      </div>
    </>
  );
}

/** Moves there without changing the address, which names the page. */
function backToAnswers(event: { preventDefault(): void }): void {
  event.preventDefault();
  const answers = document.getElementById('answers');
  answers?.scrollIntoView();
  answers?.querySelector<HTMLElement>('[data-answer][aria-pressed="true"]')?.focus();
}
