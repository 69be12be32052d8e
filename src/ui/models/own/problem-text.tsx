import type { KeepingProblem } from '../../../protocol/keeping/keeping-tasks.ts';
import { hubWords } from '../../../words/en/models/hub.ts';
import styles from './own-models.module.css';

/** What went wrong and what helps; then the details, in English. */
export function ProblemText({ problem }: { readonly problem: KeepingProblem }) {
  return (
    <div role="alert">
      <p className={styles.problem}>{hubWords().problems[problem.kind]}</p>
      <p className={styles.quiet} lang="en">
        {problem.detail}
      </p>
    </div>
  );
}
