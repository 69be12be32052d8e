import { lazy, Suspense } from 'react';
import { shownIn } from '../../../state/explain/explain-store.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { Awaiting } from './awaiting.tsx';
import { nextStepAfter } from './next-step.ts';
import styles from './result-panel.module.css';

const loadResult = () => import('./result.tsx');

/** Not on the first screen, so not in the first download. */
const Result = lazy(async () => ({ default: (await loadResult()).Result }));

/** After this long the page has been drawn and the model's first files are on their way. */
const CHART_DELAY_MS = 1000;

/**
 * Fetches the result's code, and then the much larger chart, before they are needed, so that they work offline.
 *
 * @returns what calls off the chart
 */
export function preloadResult(): () => void {
  const ignore = () => undefined; // fetched again when they are drawn
  loadResult().catch(ignore);
  const timer = setTimeout(() => {
    import('../../charts/influence-bars.tsx').catch(ignore);
  }, CHART_DELAY_MS);
  return () => clearTimeout(timer);
}

/** The last outcome below any problem; before the first one, what to expect. */
export function ResultPanel() {
  const outcome = useStoreValue('explain', shownIn);
  return (
    <section className={styles.panel} aria-label="Result">
      <ProblemNote />
      <FallbackBoundary fallback={<p role="alert">The result could not be loaded; reload to try again.</p>}>
        <Suspense fallback={<Awaiting />}>{outcome ? <Result outcome={outcome} /> : <Awaiting />}</Suspense>
      </FallbackBoundary>
    </section>
  );
}

/** What went wrong with the question, or with the model itself: the cause, and the next step. */
function ProblemNote() {
  const { explain } = useStores();
  const phase = useStoreValue('explain', (state) => state.phase);
  const engine = useStoreValue('engine', (state) => state.status);
  const asked = phase.kind === 'failed' ? phase.problem : null;
  const problem = asked ?? (engine.kind === 'failed' && phase.kind !== 'running' ? engine.problem : null);
  if (!problem) return null;
  const { title, step, canRetry } = nextStepAfter(problem.code);
  return (
    <div className={styles.problem} role="alert" data-testid="problem">
      <p className={styles.problemTitle}>{title}</p>
      <p>{problem.message}</p>
      <p>{step}</p>
      <div className={styles.problemActions}>
        {canRetry && <Button onClick={() => void explain.getState().run()}>Try again</Button>}
      </div>
    </div>
  );
}
