import { apiWords } from '../../words/en/api.ts';
import { Page } from '../parts/layout/page.tsx';
import { RequestPanel } from './request-panel.tsx';
import { ResponsePanel } from './response-panel.tsx';
import { SnippetPanel } from './snippet-panel.tsx';
import { TransportsList } from './transports-list.tsx';
import styles from './api-page.module.css';

/** A request, its response, and the same request as code for programs outside the page. */
export function ApiPage() {
  const words = apiWords();
  return (
    <Page title={words.title} claim={words.claim}>
      <TransportsList />
      <div className={styles.columns}>
        <RequestPanel />
        <div className={styles.column}>
          <ResponsePanel />
          <SnippetPanel />
        </div>
      </div>
    </Page>
  );
}
