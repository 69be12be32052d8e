import { shownIn } from '../../../state/explain/explain-store.ts';
import { useExplain } from '../../use-stores.ts';
import { Awaiting } from './awaiting.tsx';
import { ProblemNote } from '../prompt/problem-note.tsx';
import styles from './result-panel.module.css';
import { Result } from './result.tsx';

/** What came of the question; a problem stands above the last result and does not take it away. */
export function ResultPanel() {
  const outcome = useExplain(shownIn);
  return (
    <section className={styles.panel} aria-label="Result">
      <ProblemNote />
      {outcome ? <Result outcome={outcome} /> : <Awaiting />}
    </section>
  );
}
