import { lazy, Suspense } from 'react';
import { shownIn } from '../../../state/explain/explain-store.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStoreValue } from '../../use-stores.ts';
import { Awaiting } from './awaiting.tsx';
import styles from './result-panel.module.css';

/** A first visit has no result yet, and its first paint does not wait for what will draw it. */
const Result = lazy(async () => ({ default: (await import('./result.tsx')).Result }));

/** The last outcome; before the first one, what to expect. */
export function ResultPanel() {
  const outcome = useStoreValue('explain', shownIn);
  return (
    <section className={styles.panel} aria-label="Result" id="result">
      <FallbackBoundary fallback={<p role="alert">The result could not be loaded. Reload the page.</p>}>
        <Suspense fallback={<div className={styles.card} aria-busy />}>
          {outcome ? <Result outcome={outcome} /> : <Awaiting />}
        </Suspense>
      </FallbackBoundary>
    </section>
  );
}
