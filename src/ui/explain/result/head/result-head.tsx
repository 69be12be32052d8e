import type { View } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { changesBetween } from '../../../../state/explain/question.ts';
import { ranAt } from '../../../../state/settings/engine-in-use.ts';
import { engineWords } from '../../../../words/en/models/engine.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { Button } from '../../../parts/buttons.tsx';
import { focusOn } from '../../../parts/focus.ts';
import { useModelFacts, useStores, useStoreValue } from '../../../use-stores.ts';
import { ExportButton } from '../../export/export-button.tsx';
import { captionOf } from './caption.ts';
import { staleText } from './stale-text.ts';
import styles from '../result-panel.module.css';

/** The result in words, whether it is still current, and a way to save it. */
export function ResultHead({ outcome, view }: { readonly outcome: Outcome; readonly view: View }) {
  const { lead, detail } = captionOf(outcome, view);
  const isComplete = outcome.modelVersion !== null;
  const place = ranAt(outcome.modelVersion ?? '');
  return (
    <div>
      <h2 className={styles.lead} data-testid="caption">
        {!isComplete && <span className={styles.soFar}>{resultWords().soFar} </span>}
        {lead}
      </h2>
      <p className={styles.detail}>{detail}</p>
      {place !== null && (
        <p className={styles.detail} data-testid="ran-at">
          {engineWords().inUse.badge(place)}
        </p>
      )}
      <StaleNote outcome={outcome} />
      <ExportButton outcome={outcome} view={view} />
    </div>
  );
}

/** Says what has changed since the result, or that it was stopped; not while a new request runs. */
function StaleNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const question = useStoreValue('explain', (state) => state.question);
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const version = useModelFacts()?.version;
  if (isRunning) return null;
  const text = staleText(outcome, changesBetween(outcome.question, question), version);
  if (text === null) return null;
  const again = () => {
    focusOn('run'); // this note goes
    void explain.getState().run();
  };
  return (
    <p className={styles.stale} data-testid="stale">
      {text}
      <Button look="quiet" onClick={again}>
        {resultWords().again}
      </Button>
    </p>
  );
}
