import styles from './api-page.module.css';
import { RequestPanel } from './request-panel.tsx';
import { ResponsePanel } from './response-panel.tsx';
import { SnippetPanel } from './snippet-panel.tsx';
import { WaysInList } from './ways-in-list.tsx';
import { PageHead } from '../parts/layout/page-head.tsx';

/** The contract by hand: a request, its answer, and the same request as code for programs outside the page. */
export function ApiPage() {
  return (
    <main>
      <PageHead title="API" claim="Every operation over HTTP, answered by this tab." />
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
