import { documentsWords } from '../../words/en/documents.ts';
import { Page } from '../parts/layout/page.tsx';
import { useStoreValue } from '../use-stores.ts';
import { AnswerPanel } from './answers/answer-panel.tsx';
import { QuestionForm } from './ask/question-form.tsx';
import { DocumentList } from './list/document-list.tsx';
import { EmptyList } from './list/empty-list.tsx';
import { DocumentView } from './view/document-view.tsx';
import styles from './documents-page.module.css';

/** Documents and a question on one side, the document with the answer marked on the other. */
export function DocumentsPage() {
  const words = documentsWords();
  const isEmpty = useStoreValue('documents', ({ list, removed }) => list.length === 0 && removed.length === 0);
  return (
    <Page title={words.title} claim={words.claim}>
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
    </Page>
  );
}
