import { csvOf, jsonOf } from '../../../../state/explain/export.ts';
import type { View } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { changesBetween } from '../../../../state/explain/question.ts';
import { hashOf } from '../../../../state/explain/opening/share-link.ts';
import { Button, CopyButton } from '../../../parts/buttons.tsx';
import { download, textFile } from '../../../parts/downloads.ts';
import { focusOn } from '../../../parts/focus.ts';
import { useModelFacts, useStores, useStoreValue } from '../../../use-stores.ts';
import { captionOf } from './caption.ts';
import { staleText } from './stale-text.ts';
import styles from '../result-panel.module.css';

/** The result in words, whether it is still current, and how to export it. */
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
      {isComplete && <ExportActions outcome={outcome} />}
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
        Explain again
      </Button>
    </p>
  );
}

/** Base64 characters; mail programs and chats cut longer links off. */
const LINKED_PICTURE = 24_000;

/** Exports the result: as files, or as a link that holds the question. */
function ExportActions({ outcome }: { readonly outcome: Outcome }) {
  const model = useStoreValue('engine', (state) => state.model);
  const link = () => new URL(hashOf(outcome.question), location.href).href;
  return (
    <div className={styles.actions}>
      {(outcome.question.picture?.data.length ?? 0) <= LINKED_PICTURE ? (
        <CopyButton label="Copy link" text={link} />
      ) : (
        <span className={styles.note}>The picture is too large for a link.</span>
      )}
      <CopyButton label="Copy CSV" text={() => csvOf(outcome)} />
      <Button look="quiet" onClick={() => download('explanation.csv', textFile('text/csv', csvOf(outcome)))}>
        Save CSV
      </Button>
      <Button
        look="quiet"
        onClick={() => download('explanation.json', textFile('application/json', jsonOf(outcome, model)))}
      >
        Save JSON
      </Button>
    </div>
  );
}
