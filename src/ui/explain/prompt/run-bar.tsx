import { missingIn } from '../../../state/explain/question.ts';
import { Button } from '../../parts/buttons.tsx';
import { EnterKeys } from '../../parts/enter-shortcut.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { runText } from './question-texts.ts';
import styles from './question-panel.module.css';

const MISSING = { prompt: 'Enter a prompt.', target: 'Enter a target.', delimiter: 'Enter a delimiter.' };

/** Starts a request; while it runs, shows its progress and cancels it. */
export function RunBar() {
  const isRunning = useStoreValue('explain', (state) => state.phase.kind === 'running');
  return <div className={styles.run}>{isRunning ? <Running /> : <Ready />}</div>;
}

function Ready() {
  const { explain } = useStores();
  const missing = useStoreValue('explain', (state) => missingIn(state.question));
  return (
    <div className={styles.runRow}>
      <Button
        look="primary"
        data-testid="explain"
        disabled={missing !== null}
        onClick={() => void explain.getState().run()}
      >
        Explain
      </Button>
      {missing ? <span className={styles.hint}>{MISSING[missing]}</span> : <EnterKeys />}
    </div>
  );
}

function Running() {
  const { explain } = useStores();
  const progress = useStoreValue('explain', (state) => (state.phase.kind === 'running' ? state.phase.progress : null));
  const engine = useStoreValue('engine', (state) => state.status);
  const { text, share } = runText(progress, engine);
  return (
    <>
      <div className={styles.runRow}>
        <Button data-testid="cancel" onClick={() => explain.getState().cancel()}>
          Cancel
        </Button>
        <span className={styles.hint} data-testid="progress">
          {text}
        </span>
      </div>
      <ProgressBar label="Explanation" share={share} />
    </>
  );
}
