import { documentsWords } from '../../../words/en/documents.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { focusOn } from '../../parts/focus.ts';
import { QUESTION } from '../ids.ts';
import styles from './question-form.module.css';

/** What went wrong with the question, and how to try again. */
export function AskProblem() {
  const words = documentsWords().problem;
  const { documents } = useStores();
  const problem = useStoreValue('documents', ({ phase }) => (phase.kind === 'failed' ? phase.problem : null));
  if (!problem) return null;
  const text = Object.entries(words).find(([code]) => code === problem.code)?.[1] ?? words.other;
  const retry = () => {
    focusOn(QUESTION); // this note goes
    void documents.getState().ask();
  };
  return (
    <div className={styles.problem} role="alert" data-testid="ask-problem">
      <p>{text}</p>
      <Button onClick={retry}>{words.retry}</Button>
    </div>
  );
}
