import { STATE_FILE, stateText, takeStateText } from '../../state/privacy/state-file.ts';
import { privacyWords } from '../../words/en/privacy.ts';
import { Button, FileButton } from '../parts/buttons.tsx';
import { download } from '../parts/downloads.ts';
import { Section } from '../settings/fields.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import styles from './privacy.module.css';

/** What the page keeps as one file, to be taken to another device. */
export function StateSection() {
  const words = privacyWords().state;
  const stores = useStores();
  const outcome = useStoreValue('privacy', (state) => state.opening); // another language draws the page again
  const { setOpening } = stores.privacy.getState();
  const take = async (file: File) => {
    const before = stateText(stores);
    const problems = takeStateText(await file.text(), stores);
    setOpening(problems.length > 0 ? { kind: 'refused', problems } : { kind: 'taken', before });
  };
  const undo = (before: string) => {
    takeStateText(before, stores);
    setOpening({ kind: 'none' });
  };
  return (
    <Section title={words.title} about={words.about}>
      <p>{words.what}</p>
      <div className={styles.actions}>
        <Button onClick={() => download(STATE_FILE, new Blob([stateText(stores)], { type: 'application/json' }))}>
          {words.save}
        </Button>
        <FileButton accept=".json,application/json" onFiles={([file]) => void take(file)}>
          {words.open}
        </FileButton>
      </div>
      <div role="status">
        {outcome.kind === 'taken' && (
          <p className={styles.actions}>
            {words.taken}
            <Button look="quiet" onClick={() => undo(outcome.before)}>
              {words.undo}
            </Button>
          </p>
        )}
      </div>
      <div role="alert" className={styles.problem}>
        {outcome.kind === 'refused' && (
          <>
            <p>{words.refused}</p>
            <ul className={styles.list}>
              {outcome.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
}
