import styles from './api-page.module.css';
import { RequestPanel } from './request-panel.tsx';
import { ResponsePanel } from './response-panel.tsx';
import { SnippetPanel } from './snippet-panel.tsx';
import { WaysInList } from './ways-in-list.tsx';

/** The contract by hand: a request, its answer, and the same request as code for programs outside the page. */
export function ApiPage() {
  return (
    <main>
      <div className={styles.intro}>
        <h1 className={styles.title}>API</h1>
        <p className={styles.claim}>Every operation over HTTP, answered by this tab.</p>
      </div>
      <WaysInList />
      <div className={styles.columns}>
        <RequestPanel />
        <div className={styles.column}>
          <ResponsePanel />
          <SnippetPanel />
        </div>
      </div>
    </main>
  );
}
