import type { Outcome } from '../../../../state/explain/outcome.ts';
import { isSameQuestion, missingIn } from '../../../../state/explain/question.ts';
import type { CompareState, CompareStore } from '../../../../state/variations/compare-store.ts';
import { compareWords } from '../../../../words/en/explain/compare.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { GrowingTextarea } from '../../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../../parts/fields/label-row.tsx';
import { StopsSlider } from '../../../parts/fields/stops-slider.tsx';
import { useStoreValue, useValueOf } from '../../../use-stores.ts';
import { lengthWarning, runText } from '../../prompt/question-texts.ts';
import { nextStepAfter, problemText } from '../../problem/next-step.ts';
import { FACTORS, strengthText, visibleText } from '../../texts.ts';
import problem from '../../problem/problem.module.css';
import panel from '../../result/result-panel.module.css';
import styles from './comparison.module.css';

/** What A asks. */
export function FirstQuestion({ outcome: { question, modelVersion } }: { readonly outcome: Outcome }) {
  const words = compareWords().question;
  const { target, settings } = question;
  return (
    <section className={styles.question} data-side="a" aria-label={words.a}>
      <h3 className={panel.blockTitle}>A</h3>
      <dl className={styles.facts}>
        <dt>{words.target}</dt>
        <dd dir="auto">{visibleText(target)}</dd>
        <dt>{words.strength}</dt>
        <dd>{strengthText(settings.factor)}</dd>
        <dt>{words.model}</dt>
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
  const words = compareWords().question;
  const { factor } = question.settings;
  return (
    // The shortcut of the page asks the question of the page; inside B it asks B.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.question}
      data-side="b"
      aria-label={words.b}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
        event.stopPropagation();
        event.preventDefault();
        if (!event.repeat) void run();
      }}
    >
      <h3 className={panel.blockTitle}>B</h3>
      <div className={styles.field}>
        <LabelRow htmlFor="compare-prompt" label={words.promptOfB} />
        <GrowingTextarea
          id="compare-prompt"
          value={question.prompt}
          onChange={(event) => edit({ prompt: event.target.value })}
        />
        {warning && <p className={panel.note}>{warning}</p>}
        {question.picture && <p className={panel.note}>{words.pictureStays}</p>}
      </div>
      <div className={styles.field}>
        <LabelRow htmlFor="compare-target" label={words.targetOfB} />
        <GrowingTextarea
          id="compare-target"
          value={question.target}
          onChange={(event) => edit({ target: event.target.value })}
        />
      </div>
      <div className={styles.field}>
        <span>{words.strengthIs(strengthText(factor))}</span>
        <StopsSlider
          label={words.strengthOfB}
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

/** Only models that can explain; said where there is but one. */
function ModelChoice({ store, model }: { readonly store: CompareStore; readonly model: string }) {
  const names = useStoreValue('settings', (state) => state.choices.explain);
  const words = compareWords().question;
  if (names.length < 2) return <p className={panel.note}>{words.onlyModel(model)}</p>;
  return (
    <label className={styles.field}>
      {words.modelOfB}
      <select value={model} onChange={(event) => store.getState().choose(event.target.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

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
  const words = compareWords().question;
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
          {isRunning ? words.cancel : words.explain}
        </Button>
        <span className={panel.note} aria-live="polite">
          {isRunning
            ? text
            : missing
              ? words.missing[missing]
              : isStale
                ? words.changed
                : phase.kind === 'done' && words.done}
        </span>
      </div>
      {isRunning && <ProgressBar label={words.share} share={share} />}
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
