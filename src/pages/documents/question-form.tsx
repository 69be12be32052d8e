import type { SubmitEvent } from 'react';
import { canAsk } from './answers.ts';
import { documentsWords } from './words.en.ts';
import { Button, focusOn } from '../../parts/buttons.tsx';
import { ProgressBar } from '../../parts/feedback/status.tsx';
import { LabelRow } from '../../parts/fields/choice.tsx';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { numberText } from '../../words/language.ts';
import styles from './question-form.module.css';

/** Id of the field for the question. */
const QUESTION = 'document-question';

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
      {isRunning ? <AskProgress /> : missing && <p className={styles.note}>{missing}</p>}
      <AskProblem />
      <Questions />
      <p id="question-note" className={styles.note}>
        {words.english}
      </p>
    </form>
  );
}

/** One button for both actions, so that it keeps the focus when a request starts, ends or is cancelled. */
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

function AskProgress() {
  const words = documentsWords().ask;
  const phase = useStoreValue('documents', (state) => state.phase);
  if (phase.kind !== 'running') return null;
  const { done, total, phase: step } = phase.progress ?? { done: 0, total: 0, phase: 'starting' };
  const share = total > 0 && (step === 'download' || step === 'run') ? Math.min(1, done / total) : null;
  const texts = {
    starting: words.starting,
    queue: words.queue,
    download: words.download(numberText(Math.round((share ?? 0) * 100))),
    compile: words.compile,
    run: words.run(numberText(done), numberText(total)),
  };
  return (
    <div className={styles.progress}>
      <ProgressBar label={words.progress} share={share} />
      <span className={styles.note} data-testid="ask-progress">
        {phase.isReading ? words.reading : texts[step]}
      </span>
    </div>
  );
}

/** The problem of the last question, with a button to try again. */
function AskProblem() {
  const words = documentsWords().problem;
  const { documents } = useStores();
  const problem = useStoreValue('documents', ({ phase }) => (phase.kind === 'failed' ? phase.problem : null));
  if (!problem) return null;
  const text = Object.entries(words).find(([code]) => code === problem.code)?.[1] ?? words.other;
  const retry = () => {
    focusOn(QUESTION); // this note disappears
    void documents.getState().ask();
  };
  return (
    <div className={styles.problem} role="alert" data-testid="ask-problem">
      <p>{text}</p>
      <Button onClick={retry}>{words.retry}</Button>
    </div>
  );
}

/** Most earlier questions to show. */
const MAX_QUESTIONS = 6;

/** Suggested and earlier questions; pressing one asks it. */
function Questions() {
  const words = documentsWords().ask;
  const { documents } = useStores();
  const history = useStoreValue('documents', (state) => state.history);
  const current = useStoreValue('documents', (state) => state.asked?.question);
  const suggestions = useStoreValue('documents', (state) => state.suggestions);
  const earlier = history.slice(0, MAX_QUESTIONS);
  const ask = (question: string) => {
    documents.getState().edit(question);
    void documents.getState().ask();
  };
  const groups = [
    [words.suggestions, suggestions.filter((question) => !earlier.includes(question))],
    [words.history, earlier.filter((question) => question !== current)],
  ] as const;
  return groups
    .filter(([, questions]) => questions.length > 0)
    .map(([label, questions]) => (
      <div key={label} className={styles.questions} role="group" aria-label={label}>
        <span>{label}</span>
        {questions.map((question) => (
          <Button key={question} look="quiet" onClick={() => ask(question)}>
            {question}
          </Button>
        ))}
      </div>
    ));
}
