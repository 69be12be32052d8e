import type { View } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { isSameQuestion } from '../../../state/explain/question.ts';
import { Button } from '../../parts/button.tsx';
import { useExplain, useStores } from '../../use-stores.ts';
import { captionOf } from './caption.ts';
import { ExportActions } from './export-actions.tsx';
import styles from './result-panel.module.css';

/** The result in words, what it is the result of, and the ways to take it along. */
export function ResultHead({ outcome, view }: { readonly outcome: Outcome; readonly view: View }) {
  const { lead, detail } = captionOf(outcome.influence, view, outcome.question.settings.factor);
  const isComplete = outcome.modelVersion !== null;
  return (
    <div>
      <h2 className={styles.lead} data-testid="caption">
        {!isComplete && <span className={styles.soFar}>So far: </span>}
        {lead}
      </h2>
      <p className={styles.detail}>{detail}</p>
      <StaleNote outcome={outcome} />
      {isComplete && <ExportActions outcome={outcome} />}
    </div>
  );
}

/** Says that the editors have moved on; a running request is about to say so itself. */
function StaleNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const isStale = useExplain(
    ({ phase, question }) => phase.kind !== 'running' && !isSameQuestion(question, outcome.question),
  );
  const isCut = useExplain(({ phase }) => phase.kind === 'idle') && outcome.modelVersion === null;
  if (!isStale && !isCut) return null;
  return (
    <p className={styles.stale} data-testid="stale">
      {isStale ? 'The question has changed since this result.' : 'Stopped before all sections were explained.'}
      <Button look="quiet" onClick={() => void explain.getState().run()}>
        Explain again
      </Button>
    </p>
  );
}
