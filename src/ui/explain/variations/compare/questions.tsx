import type { Outcome } from '../../../../state/explain/outcome.ts';
import { isSameQuestion, missingIn } from '../../../../state/explain/question.ts';
import type { CompareState, CompareStore } from '../../../../state/variations/compare-store.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { GrowingTextarea } from '../../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../../parts/fields/label-row.tsx';
import { StopsSlider } from '../../../parts/fields/stops-slider.tsx';
import { useStoreValue, useValueOf } from '../../../use-stores.ts';
import { lengthWarning, runText } from '../../prompt/question-texts.ts';
import { nextStepAfter, problemText } from '../../problem/next-step.ts';
import { FACTORS, factorText, visibleText } from '../../texts.ts';
import problem from '../../problem/problem.module.css';
import panel from '../../result/result-panel.module.css';
import styles from './comparison.module.css';

/** What A asks. */
export function FirstQuestion({ outcome: { question, modelVersion } }: { readonly outcome: Outcome }) {
  const { target, settings } = question;
  return (
    <section className={styles.question} data-side="a" aria-label="Question A">
      <h3 className={panel.blockTitle}>A</h3>
      <dl className={styles.facts}>
        <dt>Target</dt>
        <dd dir="auto">{visibleText(target)}</dd>
        <dt>Attention strength</dt>
        <dd>{strengthText(settings.factor)}</dd>
        <dt>Model</dt>
        <dd>{modelVersion}</dd>
      </dl>
    </section>
  );
}

/** What B asks: as A, until it is changed. */
export function SecondQuestion({ store }: { readonly store: CompareStore }) {
  const question = useValueOf(store, (state) => state.question);
  const model = useValueOf(store, (state) => state.model);
  const { edit, setFactor, run } = store.getState();
  const facts = useStoreValue('models', ({ models }) => models.find(({ name }) => name === model));
  const warning = lengthWarning(question, facts?.contextTokens);
  const { factor } = question.settings;
  return (
    // The shortcut of the page asks the question of the page; inside B it asks B.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.question}
      data-side="b"
      aria-label="Question B"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
        event.stopPropagation();
        event.preventDefault();
        if (!event.repeat) void run();
      }}
    >
      <h3 className={panel.blockTitle}>B</h3>
      <div className={styles.field}>
        <LabelRow htmlFor="compare-prompt" label="Prompt of B" />
        <GrowingTextarea
          id="compare-prompt"
          value={question.prompt}
          onChange={(event) => edit({ prompt: event.target.value })}
        />
        {warning && <p className={panel.note}>{warning}</p>}
        {question.picture && <p className={panel.note}>The picture of A stays.</p>}
      </div>
      <div className={styles.field}>
        <LabelRow htmlFor="compare-target" label="Target of B" />
        <GrowingTextarea
          id="compare-target"
          value={question.target}
          onChange={(event) => edit({ target: event.target.value })}
        />
      </div>
      <div className={styles.field}>
        <span>Attention strength of B: {strengthText(factor)}</span>
        <StopsSlider
          label="Attention strength of B"
          stops={FACTORS}
          value={factor}
          text={strengthText(factor)}
          onChange={setFactor}
        />
      </div>
      <ModelChoice store={store} model={model} />
      <RunRow store={store} />
    </section>
  );
}

function strengthText(factor: number): string {
  return `× ${factor}: ${factorText(factor)}`;
}

/** Only models that can explain; said where there is but one. */
function ModelChoice({ store, model }: { readonly store: CompareStore; readonly model: string }) {
  const names = useStoreValue('settings', (state) => state.choices.explain);
  if (names.length < 2) return <p className={panel.note}>Model: {model}, the only one here that explains.</p>;
  return (
    <label className={styles.field}>
      Model of B
      <select value={model} onChange={(event) => store.getState().choose(event.target.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

const MISSING = { prompt: 'Enter a prompt.', target: 'Enter a target.', delimiter: 'Enter a delimiter.' };

const DONE = { idle: '', stopped: '', running: '', done: 'B is explained.', failed: '' };

/** Whether B is another question now than the one that was answered. */
function hasChanged({ phase, question, model, askedModel }: CompareState): boolean {
  return phase.kind === 'done' && (model !== askedModel || !isSameQuestion(question, phase.value.question));
}

function RunRow({ store }: { readonly store: CompareStore }) {
  const phase = useValueOf(store, (state) => state.phase);
  const missing = useValueOf(store, (state) => missingIn(state.question));
  const engine = useStoreValue('engine', (state) => state.status);
  const { run, cancel } = store.getState();
  const isRunning = phase.kind === 'running';
  const isStale = useValueOf(store, hasChanged);
  const { text, share } = runText(isRunning ? phase.progress : null, engine);
  return (
    <div className={styles.field}>
      <div className={styles.run}>
        {/* One button, so that the focus stays where it is. */}
        <Button
          data-testid="explain-b"
          aria-disabled={missing !== null}
          onClick={() => (isRunning ? cancel() : void run())}
        >
          {isRunning ? 'Cancel' : 'Explain B'}
        </Button>
        <span className={panel.note} aria-live="polite">
          {isRunning
            ? text
            : missing
              ? MISSING[missing]
              : isStale
                ? 'B has changed since its result.'
                : DONE[phase.kind]}
        </span>
      </div>
      {isRunning && <ProgressBar label="Explanation of B" share={share} />}
      {phase.kind === 'failed' && <Problem {...phase.problem} />}
    </div>
  );
}

function Problem({ code, message }: { readonly code: string; readonly message: string }) {
  const { title, step } = nextStepAfter(code);
  return (
    <p className={problem.problem} role="alert" data-testid="compare-problem">
      <b>{title}.</b> {problemText(message)} {step}
    </p>
  );
}
