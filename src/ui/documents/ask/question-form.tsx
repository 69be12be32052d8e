import type { SubmitEvent } from 'react';
import { canAsk } from '../../../state/documents/listed.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { Button } from '../../parts/buttons.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { LabelRow } from '../../parts/fields/label-row.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { QUESTION } from '../ids.ts';
import { AskProblem } from './ask-problem.tsx';
import { progressOf } from './progress-text.ts';
import { Questions } from './questions.tsx';
import styles from './question-form.module.css';

/** The question; Enter asks it. */
export function QuestionForm() {
  const words = documentsWords();
  const { documents } = useStores();
  const question = useStoreValue('documents', (state) => state.question);
  const hasDocument = useStoreValue('documents', ({ list }) => canAsk(list));
  const isRunning = useStoreValue('documents', ({ phase }) => phase.kind === 'running');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (question.trim() === '') focusOn(QUESTION);
    else if (hasDocument) void documents.getState().ask();
  };
  const missing = hasDocument ? (question.trim() === '' ? words.ask.noQuestion : null) : words.ask.noDocument;
  return (
    <form className={styles.form} onSubmit={submit}>
      <LabelRow htmlFor={QUESTION} label={words.ask.label} />
      <div className={styles.row}>
        <input
          id={QUESTION}
          className={styles.input}
          value={question}
          placeholder={words.ask.placeholder}
          autoComplete="off"
          enterKeyHint="search"
          dir="auto"
          aria-describedby="question-note"
          onChange={({ currentTarget }) => documents.getState().edit(currentTarget.value)}
        />
        <AskButton isRunning={isRunning} />
      </div>
      {isRunning ? <Progress /> : missing && <p className={styles.note}>{missing}</p>}
      <AskProblem />
      <Questions />
      <p id="question-note" className={styles.note}>
        {words.english}
      </p>
    </form>
  );
}

/** One button for both, so that the focus stays on it when a request starts, ends or is cancelled. */
function AskButton({ isRunning }: { readonly isRunning: boolean }) {
  const words = documentsWords().ask;
  const { documents } = useStores();
  const click = () => {
    if (isRunning) documents.getState().cancel();
    else document.getElementById(QUESTION)?.closest('form')?.requestSubmit();
  };
  return (
    <Button look={isRunning ? 'plain' : 'primary'} data-testid={isRunning ? 'cancel-ask' : 'ask'} onClick={click}>
      {isRunning ? words.cancel : words.ask}
    </Button>
  );
}

function Progress() {
  const words = documentsWords().ask;
  const phase = useStoreValue('documents', (state) => state.phase);
  if (phase.kind !== 'running') return null;
  const { text, share } = phase.isReading ? { text: words.reading, share: null } : progressOf(phase.progress);
  return (
    <div className={styles.progress}>
      <ProgressBar label={words.progress} share={share} />
      <span className={styles.note} data-testid="ask-progress">
        {text}
      </span>
    </div>
  );
}
