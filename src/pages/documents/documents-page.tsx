import { lazy } from 'react';
import { AnswerPanel } from './answer-panel.tsx';
import { canAsk, type ListedDocument } from './answers.ts';
import { DocumentView } from './view/document-view.tsx';
import { useSuggestions } from './use-suggestions.ts';
import { documentsWords } from './words.en.ts';
import { ACCEPTED_FILES, type ReadDocument } from '../../files/document.ts';
import { Button, FileButton, focusOn, keyOf } from '../../parts/buttons.tsx';
import { NotRead } from '../../parts/feedback/not-read.tsx';
import { FallbackBoundary, ProgressBar } from '../../parts/feedback/status.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { filesWords } from '../../parts/feedback/words.en.ts';
import { useEngineInUse, useModelFacts, useStores, useStoreValue } from '../../stores/use-stores.ts';
import { countText, numberText } from '../../words/language.ts';
import { LabelRow } from '../../parts/fields/choice.tsx';
import styles from './documents-page.module.css';
import formStyles from './question-form.module.css';

/** Id of the button that adds files, which never disappears. */
const ADD_FILES = 'add-files';

/** Loaded where a server has the model that is chosen. */
const CitedPanel = lazy(async () => ({ default: (await import('./cited/cited-panel.tsx')).CitedPanel }));

/** Documents and questions on one side, a document with the answer marked on the other. */
export function DocumentsPage() {
  const words = documentsWords();
  const upstream = useModelFacts()?.upstream;
  const isEmpty = useStoreValue('documents', ({ list, removed }) => list.length === 0 && removed.length === 0);
  return (
    <PageLayout title={words.title} claim={words.claim}>
      {isEmpty ? (
        <EmptyList />
      ) : (
        <div className={styles.columns}>
          <div className={styles.side}>
            <DocumentList />
            <QuestionForm />
            {upstream && (
              <FallbackBoundary fallback={<p role="alert">{words.cited.failed}</p>}>
                <CitedPanel />
              </FallbackBoundary>
            )}
            <AnswerPanel />
          </div>
          <DocumentView />
        </div>
      )}
    </PageLayout>
  );
}

function DocumentList() {
  const words = documentsWords();
  const { documents } = useStores();
  const list = useStoreValue('documents', (state) => state.list);
  return (
    <section className={styles.panel} aria-labelledby="documents-title">
      <div className={styles.head}>
        <h2 id="documents-title" className={styles.listTitle}>
          {words.list.label}
        </h2>
        <FileButton
          look="plain"
          id={ADD_FILES}
          accept={ACCEPTED_FILES}
          isMultiple
          onFiles={(files) => void documents.getState().add(files)}
        >
          {words.list.add}
        </FileButton>
      </div>
      {list.length > 0 && (
        <ul className={styles.list}>
          {list.map((entry) => (
            <DocumentRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <Removed />
      <PrivacyNote />
    </section>
  );
}

function PrivacyNote() {
  const engine = useEngineInUse()?.host;
  const upstream = useModelFacts()?.upstream;
  const hosts = [engine, upstream && new URL(upstream).host].filter((host) => typeof host === 'string');
  const words = documentsWords();
  return <p className={styles.note}>{hosts.length > 0 ? words.sent(hosts.join(', ')) : words.privacy}</p>;
}

/** The document that was removed last, with a button to restore it. */
function Removed() {
  const words = documentsWords().list;
  const { documents } = useStores();
  const removed = useStoreValue('documents', (state) => state.removed.at(-1));
  return (
    <div className={styles.removed} role="status">
      {removed && (
        <>
          <span>{words.removed(removed.entry.file.name)}</span>
          <Button look="quiet" focus={ADD_FILES} onClick={() => documents.getState().undo()}>
            {words.undo}
          </Button>
        </>
      )}
    </div>
  );
}

/** A file: its name, which shows it, its reading progress or problem, and a button to remove it. */
function DocumentRow({ entry: { id, file, reading } }: { readonly entry: ListedDocument }) {
  const words = documentsWords().list;
  const { documents } = useStores();
  const isShown = useStoreValue('documents', ({ shown }) => shown === id);
  const { name } = file;
  return (
    <li className={styles.row} {...(isShown && { 'data-active': true })} data-testid="document-row">
      <div className={styles.what}>
        {reading.kind === 'ready' ? (
          <button
            type="button"
            className={styles.name}
            aria-pressed={isShown}
            data-content
            onClick={() => documents.getState().show(id)}
          >
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi className={styles.name}>{name}</bdi>
        )}
        {reading.kind === 'ready' && <span className={styles.size}>{sizeText(reading.document)}</span>}
        {reading.kind === 'ready' && <NotRead parts={reading.document.unread} />}
        {reading.kind === 'reading' && <ProgressBar label={words.waiting(name)} share={reading.share} />}
        {reading.kind === 'unreadable' && (
          <span className={styles.problem} role="alert">
            {filesWords().problems[reading.problem](name)}
          </span>
        )}
      </div>
      <Button
        look="quiet"
        aria-label={words.remove(name)}
        focus={ADD_FILES}
        onClick={() => documents.getState().remove(id)}
      >
        ✕
      </Button>
    </li>
  );
}

/** Pages of a PDF, words of any other text. */
function sizeText({ layout, text }: ReadDocument): string {
  const words = documentsWords().list;
  if (layout.type === 'pages') return countText(layout.pages.length, words.pages);
  return countText(text.match(/\S+/g)?.length ?? 0, words.words);
}

/** The page without documents. Files may be dropped anywhere on it. */
function EmptyList() {
  const words = documentsWords();
  const { documents } = useStores();
  return (
    <section className={styles.empty} aria-label={words.list.label} data-testid="documents-empty">
      <p className={styles.title}>{words.empty.title}</p>
      <p>{words.empty.kinds}</p>
      <div className={styles.actions}>
        <FileButton
          look="primary"
          accept={ACCEPTED_FILES}
          isMultiple
          onFiles={(files) => void documents.getState().add(files)}
        >
          {words.list.choose}
        </FileButton>
        <Button onClick={() => void documents.getState().takeExample()}>{words.empty.example}</Button>
      </div>
      <PrivacyNote />
      <p className={styles.note}>{words.english}</p>
    </section>
  );
}

const QUESTION = 'document-question';

/** The question; Enter asks it. */
function QuestionForm() {
  const words = documentsWords();
  const { documents } = useStores();
  const question = useStoreValue('documents', (state) => state.question);
  const hasDocument = useStoreValue('documents', ({ list }) => canAsk(list));
  const isRunning = useStoreValue('documents', ({ phase }) => phase.kind === 'running');
  const ask = () => {
    if (question.trim() === '') focusOn(QUESTION);
    else if (hasDocument) void documents.getState().ask();
  };
  const missing = hasDocument ? (question.trim() === '' ? words.ask.noQuestion : null) : words.ask.noDocument;
  return (
    <div className={formStyles.form}>
      <LabelRow htmlFor={QUESTION} label={words.ask.label} />
      <div className={formStyles.row}>
        <input
          id={QUESTION}
          className={formStyles.input}
          value={question}
          placeholder={words.ask.placeholder}
          autoComplete="off"
          enterKeyHint="search"
          dir="auto"
          aria-describedby="question-note"
          onChange={({ currentTarget }) => documents.getState().edit(currentTarget.value)}
          onKeyDown={(event) => keyOf(event) === 'Enter' && ask()}
        />
        <AskButton isRunning={isRunning} onAsk={ask} />
      </div>
      {isRunning ? <AskProgress /> : missing && <p className={formStyles.note}>{missing}</p>}
      <AskProblem />
      <Questions />
      <p id="question-note" className={formStyles.note}>
        {words.english}
      </p>
    </div>
  );
}

/** One button for both actions, so that it keeps the focus when a request starts, ends or is cancelled. */
function AskButton({ isRunning, onAsk }: { readonly isRunning: boolean; readonly onAsk: () => void }) {
  const words = documentsWords().ask;
  const { documents } = useStores();
  return (
    <Button
      look={isRunning ? 'plain' : 'primary'}
      data-testid={isRunning ? 'cancel-ask' : 'ask'}
      onClick={isRunning ? documents.getState().cancel : onAsk}
    >
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
    run: words.run(done, total),
  };
  return (
    <div className={formStyles.progress}>
      <ProgressBar label={words.progress} share={share} />
      <span className={formStyles.note} data-testid="ask-progress">
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
  return (
    <div className={formStyles.problem} role="alert" data-testid="ask-problem">
      <p>{text}</p>
      <Button focus={QUESTION} onClick={() => void documents.getState().ask()}>
        {words.retry}
      </Button>
    </div>
  );
}

const MAX_QUESTIONS = 6;

/** Suggested and earlier questions; pressing one asks it. */
function Questions() {
  const words = documentsWords().ask;
  const { documents } = useStores();
  useSuggestions();
  const history = useStoreValue('documents', (state) => state.history);
  const current = useStoreValue('documents', (state) => state.asked?.question);
  const suggestions = useStoreValue('documents', (state) => state.suggestions.get(state.shown ?? 0)) ?? [];
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
      <div key={label} className={formStyles.questions} role="group" aria-label={label}>
        <span>{label}</span>
        {questions.map((question) => (
          <Button key={question} look="quiet" onClick={() => ask(question)}>
            {question}
          </Button>
        ))}
      </div>
    ));
}
