import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import { dataUrl, isSameQuestion, missingIn } from '../../explanations/question.ts';
import card from '../../figures/panel.module.css';
import { nameOf } from '../../figures/texts.ts';
import { Button, EnterKeys, scrollIfBelow, useEnterShortcut } from '../../parts/buttons.tsx';
import { nextStepAfter, problemText } from '../../parts/feedback/next-step.ts';
import { FallbackBoundary, ProgressBar } from '../../parts/feedback/status.tsx';
import layout from '../../parts/fields/field-layout.module.css';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { problemWords } from '../../parts/words.en.ts';
import { useModelFacts, useStores, useStoreValue } from '../../stores/use-stores.ts';
import styles from './explain-page.module.css';
import { FIRST_QUESTION, shownOutcome } from './explain-store.ts';
import { fieldProblems, showField } from './question/field-problems.tsx';
import problemStyles from './question/problem.module.css';
import question from './question/question-panel.module.css';
import { QuestionPanel } from './question/question-panel.tsx';
import { runText } from './question/question-texts.ts';
import { promptWords } from './question/words.en.ts';

/** The question on one side, its outcome on the other; a dropped record above, a comparison below. */
export function ExplainPage() {
  useEnterShortcut(useRun());
  useEffect(preloadLater, []);
  const { explain } = useStores();
  const runsAtOnce = useStoreValue('explain', (state) => state.runsAtOnce);
  useEffect(() => {
    if (runsAtOnce) void explain.getState().run(); // the question of a link or of a first visit, once the page is painted
  }, [runsAtOnce, explain]);
  const words = promptWords();
  const records = useStoreValue('variations', (state) => state.records);
  const first = useStoreValue('variations', (state) => state.first);
  const comparisons = useStoreValue('variations', (state) => state.comparisons);
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <Suspense fallback={null}>{records && <RecordCheck store={records} />}</Suspense>
      <div className={`${styles.columns} ${layout.answer}`}>
        <QuestionPanel>
          <RunBar />
        </QuestionPanel>
        <OutcomePanel />
      </div>
      {first && (
        <FallbackBoundary fallback={<p role="alert">{words.comparisonFailed}</p>}>
          <ComparisonSection key={comparisons} first={first} />
        </FallbackBoundary>
      )}
      <Suspense>
        <Announcer />
      </Suspense>
    </PageLayout>
  );
}

/** Loaded with the settings, which the page fetches later. */
const ModelChoice = lazy(async () => ({ default: (await import('./settings/more-settings.tsx')).ModelChoice }));
const RecordCheck = lazy(async () => ({ default: (await import('./variations/record-check.tsx')).RecordCheck }));
const ComparisonSection = lazy(async () => ({
  default: (await import('./variations/comparison-section.tsx')).ComparisonSection,
}));
/** A first visit has no outcome yet, and its first paint does not wait for what will draw it. */
const OutcomeView = lazy(async () => ({ default: (await import('./outcome-view.tsx')).OutcomeView }));
/** Its words are those of the outcome, which come in a script of their own. */
const Announcer = lazy(async () => ({ default: (await import('./announcer.tsx')).Announcer }));

/** After this time the page has been drawn and the model's first files are loading. */
const PRELOAD_MS = 1000;

/** What the page shows later, each in a script of its own. */
const LATER: readonly (() => Promise<unknown>)[] = [
  () => import('../../explanations/request.ts'),
  () => import('./outcome-view.tsx'),
  () => import('./settings/more-settings.tsx'),
];

/** Fetches what the page shows later before it is needed, so that it works offline. Returns a function that cancels it. */
function preloadLater(): () => void {
  const timer = setTimeout(() => {
    for (const load of LATER) load().catch(() => undefined); // fetched again when it is shown
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}

/** Runs the question and shows the place of its outcome; where something is missing, moves to its field. */
function useRun(): () => void {
  const { explain } = useStores();
  return () => {
    const missing = missingIn(explain.getState().question);
    if (missing) return showField(missing);
    void explain.getState().run();
    scrollIfBelow('result', VISIBLE_SHARE);
  };
}

/** Share of the window that the outcome must fill to count as visible. */
const VISIBLE_SHARE = 0.3;

function useRunText() {
  const progress = useStoreValue('explain', ({ phase }) => (phase.kind === 'running' ? phase.progress : null));
  const secondsLeft = useStoreValue('explain', ({ phase }) => (phase.kind === 'running' ? phase.secondsLeft : null));
  const engine = useStoreValue('engine', (state) => state.status);
  return runText(progress, engine, secondsLeft);
}

/** Starts a request, or cancels it while it runs for the same question; shows its progress and its problem. */
function RunBar() {
  const { explain } = useStores();
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const cancels = useStoreValue(
    'explain',
    (state) => state.phase.kind === 'running' && isSameQuestion(state.phase.question, state.question),
  );
  const missing = useStoreValue('explain', (state) => missingIn(state.question));
  const { text, share } = useRunText();
  const run = useRun();
  const words = promptWords().run;
  const onClick = ({ detail }: MouseEvent) => {
    if (!cancels) run();
    else if (detail < 2) explain.getState().cancel(); // the second click of a double click means the first one's button
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat && event.key === 'Enter') event.preventDefault(); // a held key would start and cancel in turn
  };
  return (
    <div className={styles.run}>
      <div className={styles.runRow}>
        {/* One button for both, so that the focus stays on it when a request starts, ends or is cancelled. */}
        <Button
          id="run"
          look={cancels ? 'plain' : 'primary'}
          data-testid={cancels ? 'cancel' : 'explain'}
          onClick={onClick}
          onKeyDown={onKeyDown}
        >
          {cancels ? words.cancel : words.explain}
        </Button>
        {isRunning ? (
          <span className={question.hint} data-testid="progress">
            {text}
          </span>
        ) : missing ? (
          <span className={question.hint}>{words.missing[missing]}</span>
        ) : (
          <EnterKeys />
        )}
      </div>
      {isRunning && <ProgressBar label={words.share} share={share} />}
      <FallbackBoundary fallback={null} pending={<div className={question.modelRow} />}>
        <ModelChoice />
      </FallbackBoundary>
      <ProblemNote />
    </div>
  );
}

/** The problem of the request or of the model itself, and the next step. A problem of a field is shown at its field instead. */
function ProblemNote() {
  const stores = useStores();
  const failure = useStoreValue('explain', ({ phase }) => (phase.kind === 'failed' ? phase.problem : null));
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const engine = useStoreValue('engine', (state) => state.status);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) note.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  const problem = failure ?? (engine.kind === 'failed' && !isRunning ? engine.problem : null);
  if (!problem || fieldProblems(problem).length > 0) return null;
  const { title, step, canRetry } = nextStepAfter(problem.code);
  const text = problemText(problem.message);
  const retry = () => {
    if (failure) void stores.explain.getState().run();
    else stores.engine.getState().retry();
  };
  return (
    <div className={problemStyles.problem} ref={note} role="alert" data-testid="problem">
      <p className={problemStyles.title}>{title}</p>
      {text !== '' && <p>{text}</p>}
      <p>{step}</p>
      {canRetry && (
        <div className={problemStyles.actions}>
          <Button focus="run" onClick={retry}>
            {problemWords().tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The newest outcome; before the first one, what to expect. */
function OutcomePanel() {
  const outcome = useStoreValue('explain', shownOutcome);
  const { explain } = useStores();
  const [isFirstVisit] = useState(() => explain.getState().runsAtOnce);
  const isOpening = isFirstVisit && outcome?.question.prompt === FIRST_QUESTION.prompt;
  const words = promptWords().result;
  return (
    <section className={card.panel} aria-label={words.label} id="result">
      {outcome ? (
        <FallbackBoundary
          fallback={<p role="alert">{words.failed}</p>}
          pending={<div className={card.card} aria-busy />}
        >
          <OutcomeView outcome={outcome} isOpening={isOpening} />
        </FallbackBoundary>
      ) : (
        <PendingOutcome />
      )}
    </section>
  );
}

/** Before the first outcome: the prompt without colours, and what will happen to it. */
function PendingOutcome() {
  const phase = useStoreValue('explain', (state) => state.phase);
  const current = useStoreValue('explain', (state) => state.question);
  const { text } = useRunText();
  const isRunning = phase.kind === 'running';
  const { picture, prompt, target } = isRunning ? phase.question : current;
  const upstream = useModelFacts()?.upstream;
  const words = promptWords().result;
  const steps = upstream ? words.steps.with(1, words.deletes(upstream)) : words.steps;
  const expected = target === '' ? words.leadToAnswer : words.lead(nameOf(target));
  return (
    <div className={`${card.card} ${styles.pending}`} data-testid="awaiting">
      <p className={card.lead}>{isRunning ? text : phase.kind === 'stopped' ? words.stopped : expected}</p>
      {isRunning && phase.written.trim() !== '' && (
        <p className={styles.written} data-testid="written">
          <span className={card.note}>{words.writes}</span> {phase.written.trim()}
        </p>
      )}
      {picture && <img className={styles.picture} src={dataUrl(picture)} alt={picture.name} />}
      <p className={styles.text} data-running={isRunning || undefined} aria-hidden>
        {prompt}
      </p>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
