import type { KeyboardEvent, MouseEvent } from 'react';
import { missingIn } from '../../../state/explain/question.ts';
import { promptWords } from '../../../words/en/explain/prompt.ts';
import { Button } from '../../parts/buttons.tsx';
import { EnterKeys } from '../../parts/enter-shortcut.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { showField } from '../problem/field-note.tsx';
import { ProblemNote } from '../problem/problem-note.tsx';
import { runText } from './question-texts.ts';
import styles from './question-panel.module.css';

/** Starts a request; while it runs, shows its progress and cancels it. What went wrong with it stands below. */
export function RunBar() {
  const isRunning = useStoreValue('explain', (state) => state.phase.kind === 'running');
  const missing = useStoreValue('explain', (state) => missingIn(state.question));
  return (
    <div className={styles.run}>
      <div className={styles.runRow}>
        <RunButton isRunning={isRunning} />
        {isRunning ? (
          <Progress />
        ) : missing ? (
          <span className={styles.hint}>{promptWords().run.missing[missing]}</span>
        ) : (
          <EnterKeys />
        )}
      </div>
      {isRunning && <Share />}
      <ProblemNote />
    </div>
  );
}

/** One button for both, so that the focus stays on it when a request starts, ends or is cancelled. */
function RunButton({ isRunning }: { readonly isRunning: boolean }) {
  const { explain } = useStores();
  const ask = useAsk();
  const words = promptWords().run;
  const onClick = ({ detail }: MouseEvent) => {
    if (!isRunning) ask();
    else if (detail < 2) explain.getState().cancel(); // the second click of a double click means the first one's button
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat && event.key === 'Enter') event.preventDefault(); // a held key would start and cancel in turn
  };
  return (
    <Button
      id="run"
      look={isRunning ? 'plain' : 'primary'}
      data-testid={isRunning ? 'cancel' : 'explain'}
      {...{ onClick, onKeyDown }}
    >
      {isRunning ? words.cancel : words.explain}
    </Button>
  );
}

/** Asks the question and shows where its answer will stand; where something is missing, moves to its field. */
export function useAsk(): () => void {
  const { explain } = useStores();
  return () => {
    const missing = missingIn(explain.getState().question);
    if (missing) return showField(missing);
    void explain.getState().run();
    showResult();
  };
}

/** Share of the window that the result must show to count as visible. */
const VISIBLE_SHARE = 0.3;

/** Where the result stands below the question, as on a phone, scrolls to it. */
function showResult(): void {
  const result = document.getElementById('result');
  if (result && result.getBoundingClientRect().top > innerHeight * (1 - VISIBLE_SHARE)) result.scrollIntoView();
}

function useRunText() {
  const progress = useStoreValue('explain', (state) => (state.phase.kind === 'running' ? state.phase.progress : null));
  const engine = useStoreValue('engine', (state) => state.status);
  return runText(progress, engine);
}

function Progress() {
  return (
    <span className={styles.hint} data-testid="progress">
      {useRunText().text}
    </span>
  );
}

function Share() {
  return <ProgressBar label={promptWords().run.share} share={useRunText().share} />;
}
