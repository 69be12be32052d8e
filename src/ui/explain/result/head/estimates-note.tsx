import { hasEstimates, type Outcome } from '../../../../state/explain/outcome.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { numberText } from '../../../../words/numbers.ts';
import { Button } from '../../../parts/buttons.tsx';
import { focusOn } from '../../../parts/focus.ts';
import { useStores, useStoreValue } from '../../../use-stores.ts';
import styles from '../result-panel.module.css';

/** Says how many scores are estimates, and computes them exactly on request. */
export function EstimatesNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  if (!hasEstimates(outcome)) return null;
  const { sections } = outcome.influence;
  const estimated = sections.filter(({ margins }) => margins).length;
  const words = resultWords().estimates;
  const makeExact = () => {
    focusOn('run'); // this note goes
    explain.getState().adjust({ accuracy: 'exact' });
    void explain.getState().run();
  };
  return (
    <p className={styles.note} data-testid="estimates">
      {words.some(numberText(estimated), numberText(sections.length))}{' '}
      {!isRunning && (
        <Button look="quiet" onClick={makeExact}>
          {words.makeExact}
        </Button>
      )}
    </p>
  );
}
