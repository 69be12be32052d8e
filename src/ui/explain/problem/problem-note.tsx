import { useEffect, useRef } from 'react';
import { problemWords } from '../../../words/en/explain/problem.ts';
import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { fieldProblems } from './field-problems.ts';
import { nextStepAfter, problemText } from './next-step.ts';
import styles from './problem.module.css';

/** What went wrong with the request or the model itself, and the next step. A problem of a field stands by its field instead. */
export function ProblemNote() {
  const stores = useStores();
  const asked = useStoreValue('explain', ({ phase }) => (phase.kind === 'failed' ? phase.problem : null));
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const engine = useStoreValue('engine', (state) => state.status);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked) note.current?.scrollIntoView({ block: 'nearest' });
  }, [asked]);
  const problem = asked ?? (engine.kind === 'failed' && !isRunning ? engine.problem : null);
  if (!problem || fieldProblems(problem).length > 0) return null;
  const { title, step, canRetry } = nextStepAfter(problem.code);
  const text = problemText(problem.message);
  const retry = () => {
    focusOn('run'); // this note goes
    if (asked) void stores.explain.getState().run();
    else stores.engine.getState().retry();
  };
  return (
    <div className={styles.problem} ref={note} role="alert" data-testid="problem">
      <p className={styles.title}>{title}</p>
      {text !== '' && <p>{text}</p>}
      <p>{step}</p>
      {canRetry && (
        <div className={styles.actions}>
          <Button onClick={retry}>{problemWords().tryAgain}</Button>
        </div>
      )}
    </div>
  );
}
