import { Button } from '../../parts/button.tsx';
import { useEngine, useExplain, useStores } from '../../use-stores.ts';
import { nextStepAfter } from '../result/next-step.ts';
import styles from '../result/result-panel.module.css';

/** What went wrong with the question, or with the model itself: the cause, and the next step. */
export function ProblemNote() {
  const { explain } = useStores();
  const phase = useExplain((state) => state.phase);
  const engine = useEngine((state) => state.status);
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
