import { AnswerPanel } from './answer-panel.tsx';
import type { ListedDocument } from './answers.ts';
import { QuestionForm } from './question-form.tsx';
import { DocumentView } from './view/document-view.tsx';
import { documentsWords } from './words.en.ts';
import { ACCEPTED_FILES, type ReadDocument } from '../../files/document.ts';
import { Button, FileButton, focusOn } from '../../parts/buttons.tsx';
import { NotRead } from '../../parts/feedback/not-read.tsx';
import { ProgressBar } from '../../parts/feedback/status.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { engineWords, filesWords } from '../../parts/words.en.ts';
import { useEngineInUse, useStores, useStoreValue } from '../../stores/use-stores.ts';
import { countText } from '../../words/language.ts';
import styles from './documents-page.module.css';

/** Id of the button that adds files, which never disappears. */
const ADD_FILES = 'add-files';

/** Documents and questions on one side, a document with the answer marked on the other. */
export function DocumentsPage() {
  const words = documentsWords();
  const isEmpty = useStoreValue('documents', ({ list, removed }) => list.length === 0 && removed.length === 0);
  return (
    <PageLayout title={words.title} claim={words.claim}>
      {isEmpty ? (
        <EmptyList />
      ) : (
        <div className={styles.columns}>
          <div className={styles.side}>
            <DocumentList />
            <QuestionForm />
            <AnswerPanel />
          </div>
          <DocumentView />
        </div>
      )}
    </PageLayout>
  );
}

/** The list of documents, with buttons to add and remove files. */
function DocumentList() {
  const words = documentsWords();
  const { documents } = useStores();
  const list = useStoreValue('documents', (state) => state.list);
  return (
    <section className={styles.panel} aria-labelledby="documents-title">
      <div className={styles.head}>
        <h2 id="documents-title" className={styles.listTitle}>
          {words.list.label}
        </h2>
        <FileButton
          look="plain"
          id={ADD_FILES}
          accept={ACCEPTED_FILES}
          isMultiple
          onFiles={(files) => void documents.getState().add(files)}
        >
          {words.list.add}
        </FileButton>
      </div>
      {list.length > 0 && (
        <ul className={styles.list}>
          {list.map((entry) => (
            <DocumentRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <Removed />
      <PrivacyNote />
    </section>
  );
}

function PrivacyNote() {
  const engine = useEngineInUse();
  return (
    <p className={styles.note}>{engine ? engineWords().inUse.documents(engine.host) : documentsWords().privacy}</p>
  );
}

/** The document that was removed last, with a button to restore it. */
function Removed() {
  const words = documentsWords().list;
  const { documents } = useStores();
  const removed = useStoreValue('documents', (state) => state.removed.at(-1));
  const undo = () => {
    focusOn(ADD_FILES); // the button disappears with the last removed document
    documents.getState().undo();
  };
  return (
    <div className={styles.removed} role="status">
      {removed && (
        <>
          <span>{words.removed(removed.entry.file.name)}</span>
          <Button look="quiet" onClick={undo}>
            {words.undo}
          </Button>
        </>
      )}
    </div>
  );
}

/** A file: its name, which shows it, its reading progress or problem, and a button to remove it. */
function DocumentRow({ entry: { id, file, reading } }: { readonly entry: ListedDocument }) {
  const words = documentsWords().list;
  const { documents } = useStores();
  const isShown = useStoreValue('documents', ({ shown }) => shown === id);
  const { name } = file;
  const remove = () => {
    focusOn(ADD_FILES); // this row disappears
    documents.getState().remove(id);
  };
  return (
    <li className={styles.row} {...(isShown && { 'data-active': true })} data-testid="document-row">
      <div className={styles.what}>
        {reading.kind === 'ready' ? (
          <button
            type="button"
            className={styles.name}
            aria-pressed={isShown}
            data-content
            onClick={() => documents.getState().show(id)}
          >
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi className={styles.name}>{name}</bdi>
        )}
        {reading.kind === 'ready' && <span className={styles.size}>{sizeText(reading.document)}</span>}
        {reading.kind === 'ready' && <NotRead parts={reading.document.unread} />}
        {reading.kind === 'reading' && <ProgressBar label={words.waiting(name)} share={reading.share} />}
        {reading.kind === 'unreadable' && (
          <span className={styles.problem} role="alert">
            {filesWords().problems[reading.problem](name)}
          </span>
        )}
      </div>
      <Button look="quiet" aria-label={words.remove(name)} onClick={remove}>
        ✕
      </Button>
    </li>
  );
}

/** Pages of a PDF, words of any other text. */
function sizeText({ layout, text }: ReadDocument): string {
  const words = documentsWords().list;
  if (layout.type === 'pages') return countText(layout.pages.length, words.pages);
  return countText(text.match(/\S+/g)?.length ?? 0, words.words);
}

/** The page without documents. Files may be dropped anywhere on it. */
function EmptyList() {
  const words = documentsWords();
  const { documents } = useStores();
  return (
    <section className={styles.empty} aria-label={words.list.label} data-testid="documents-empty">
      <p className={styles.title}>{words.empty.title}</p>
      <p>{words.empty.kinds}</p>
      <div className={styles.actions}>
        <FileButton
          look="primary"
          accept={ACCEPTED_FILES}
          isMultiple
          onFiles={(files) => void documents.getState().add(files)}
        >
          {words.list.choose}
        </FileButton>
        <Button onClick={() => void documents.getState().takeExample()}>{words.empty.example}</Button>
      </div>
      <PrivacyNote />
      <p className={styles.note}>{words.english}</p>
    </section>
  );
}
