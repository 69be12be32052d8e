import { lazy, Suspense } from 'react';
import { shownIn } from '../../../state/explain/explain-store.ts';
import { promptWords } from '../../../words/en/explain/prompt.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStoreValue } from '../../use-stores.ts';
import { Awaiting } from './awaiting.tsx';
import styles from './result-panel.module.css';

/** The last outcome; before the first one, what to expect. */
export function ResultPanel() {
  const outcome = useStoreValue('explain', shownIn);
  const words = promptWords().result;
  return (
    <section className={styles.panel} aria-label={words.label} id="result">
      {outcome ? (
        <FallbackBoundary fallback={<p role="alert">{words.failed}</p>}>
          <Suspense fallback={<div className={styles.card} aria-busy />}>
            <Result outcome={outcome} />
          </Suspense>
        </FallbackBoundary>
      ) : (
        <Awaiting />
      )}
    </section>
  );
}

/** A first visit has no result yet, and its first paint does not wait for what will draw it. */
const Result = lazy(async () => ({ default: (await import('./result.tsx')).Result }));
