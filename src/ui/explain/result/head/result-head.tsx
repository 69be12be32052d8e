import type { View } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { isSameQuestion } from '../../../../state/explain/question.ts';
import { Button } from '../../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../../use-stores.ts';
import { ExportButton } from '../../export/export-button.tsx';
import { captionOf } from './caption.ts';
import styles from '../result-panel.module.css';

/** The result in words, whether it is still current, and a way to save it. */
export function ResultHead({ outcome, view }: { readonly outcome: Outcome; readonly view: View }) {
  const { lead, detail } = captionOf(outcome, view);
  const isComplete = outcome.modelVersion !== null;
  return (
    <div>
      <h2 className={styles.lead} data-testid="caption">
        {!isComplete && <span className={styles.soFar}>So far: </span>}
        {lead}
      </h2>
      <p className={styles.detail}>{detail}</p>
      <StaleNote outcome={outcome} />
      <ExportButton outcome={outcome} view={view} />
    </div>
  );
}

/** Says that the question has changed; not while a new request runs. */
function StaleNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const isStale = useStoreValue(
    'explain',
    ({ phase, question }) => phase.kind !== 'running' && !isSameQuestion(question, outcome.question),
  );
  const isCut = useStoreValue('explain', ({ phase }) => phase.kind === 'idle') && outcome.modelVersion === null;
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
