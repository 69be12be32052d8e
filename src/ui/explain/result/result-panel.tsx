import { lazy, Suspense } from 'react';
import { shownIn } from '../../../state/explain/explain-store.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { Awaiting } from './awaiting.tsx';
import { loadResult } from './later.ts';
import { nextStepAfter, problemText } from './next-step.ts';
import styles from './result-panel.module.css';

const Result = lazy(async () => ({ default: (await loadResult()).Result }));

/** The last outcome below any problem; before the first one, what to expect. */
export function ResultPanel() {
  const outcome = useStoreValue('explain', shownIn);
  return (
    <section className={styles.panel} aria-label="Result">
      <ProblemNote />
      <FallbackBoundary fallback={<p className={styles.note}>The result could not be loaded. Reload the page.</p>}>
        <Suspense fallback={<Awaiting />}>{outcome ? <Result outcome={outcome} /> : <Awaiting />}</Suspense>
      </FallbackBoundary>
    </section>
  );
}

/** What went wrong with the question, or with the model itself: the cause, and the next step. */
function ProblemNote() {
  const stores = useStores();
  const phase = useStoreValue('explain', (state) => state.phase);
  const engine = useStoreValue('engine', (state) => state.status);
  const asked = phase.kind === 'failed' ? phase.problem : null;
  const problem = asked ?? (engine.kind === 'failed' && phase.kind !== 'running' ? engine.problem : null);
  if (!problem) return null;
  const { title, step, canRetry } = nextStepAfter(problem.code);
  const retry = () => (asked ? void stores.explain.getState().run() : stores.engine.getState().retry());
  return (
    <div className={styles.problem} role="alert" data-testid="problem">
      <p className={styles.problemTitle}>{title}</p>
      <p>{problemText(problem.message)}</p>
      <p>{step}</p>
      <div className={styles.problemActions}>{canRetry && <Button onClick={retry}>Try again</Button>}</div>
    </div>
  );
}
