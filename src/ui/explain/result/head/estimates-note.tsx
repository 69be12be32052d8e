import type { ReactNode } from 'react';
import { budgetOf } from '../../../../state/explain/question.ts';
import { hasEstimates, type Outcome } from '../../../../state/explain/outcome.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { numberText } from '../../../../words/numbers.ts';
import { Button } from '../../../parts/buttons.tsx';
import { focusOn } from '../../../parts/focus.ts';
import { useStores, useStoreValue } from '../../../use-stores.ts';
import styles from '../result-panel.module.css';

/**
 * Says how many scores are estimates, and computes them exactly on request; that there are none, where the question allowed
 * them.
 */
export function EstimatesNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const words = resultWords().estimates;
  if (!hasEstimates(outcome)) return isExactAllTheSame(outcome) && <Note>{words.none}</Note>;
  const { sections } = outcome.influence;
  const estimated = sections.filter(({ margins }) => margins).length;
  const makeExact = () => {
    focusOn('run'); // this note goes
    explain.getState().adjust({ accuracy: 'exact' });
    void explain.getState().run();
  };
  return (
    <Note>
      {words.some(numberText(estimated), numberText(sections.length))}{' '}
      {!isRunning && (
        <Button look="quiet" onClick={makeExact}>
          {words.makeExact}
        </Button>
      )}
    </Note>
  );
}

/** Whether the finished answer has no estimates, though the question allowed them. */
function isExactAllTheSame({ question, modelVersion }: Outcome): boolean {
  return modelVersion !== null && budgetOf(question) !== undefined;
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.note} data-testid="estimates">
      {children}
    </p>
  );
}
