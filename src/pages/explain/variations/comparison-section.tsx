import { useEffect, useRef, type KeyboardEvent } from 'react';
import { type Outcome, originalQuestion } from '../../../explanations/outcome.ts';
import { compareWords } from './words.en.ts';
import { Button, isEnterShortcut } from '../../../parts/buttons.tsx';
import { useStores, useStoreValue, useValueOf } from '../../../stores/use-stores.ts';
import card from '../../../parts/layout/card.module.css';
import panel from '../../../figures/panel.module.css';
import styles from './comparison.module.css';
import { Sides } from './difference.tsx';
import { SeparateSelection } from '../../../figures/section-links.ts';
import { VariationProblem } from './variation-parts.tsx';
import { COMPARE_BUTTON } from './variations-store.ts';
import { isSameQuestion, missingIn } from '../../../explanations/question.ts';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import { GrowingTextarea } from '../../../parts/fields/growing-textarea.tsx';
import { SelectField } from '../../../parts/fields/fields.tsx';
import { LabelRow, StopsSlider } from '../../../parts/fields/choice.tsx';
import { lengthWarning } from '../question/length-advice.tsx';
import { runText } from '../question/question-texts.ts';
import { FACTORS, strengthText } from '../../../figures/texts.ts';
import { visibleText } from '../../../words/language.ts';
import { comparedWith } from './comparison.ts';
import { promptWords } from '../question/words.en.ts';

type CompareStore = ReturnType<typeof comparedWith>;

/** An outcome and another question side by side, and the difference of both. */
export function ComparisonSection({ first }: { readonly first: Outcome }) {
  const { variations } = useStores();
  const store = comparedWith(first, variations.getState().source);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A new comparison takes the focus; one that is drawn again when its page comes back does not.
    if (variations.getState().arrive()) title.current?.focus();
  }, [variations]);
  const close = () => {
    variations.getState().compare(null);
    document.getElementById(COMPARE_BUTTON)?.focus();
  };
  const phase = useValueOf(store, (state) => state.phase);
  const second = phase.kind === 'done' ? phase.outcome : phase.kind === 'running' ? phase.partial : null;
  const words = compareWords();
  return (
    <SeparateSelection>
      <section className={`${card.card} ${styles.section}`} aria-label={words.label} data-testid="comparison">
        <div className={panel.blockHead}>
          <h2 className={styles.title} tabIndex={-1} ref={title}>
            {words.title}
          </h2>
          <Button look="quiet" onClick={close}>
            {words.close}
          </Button>
        </div>
        <p className={panel.note}>{words.about}</p>
        <Sides
          first={first}
          second={second}
          questions={[<FirstQuestion key="a" outcome={first} />, <SecondQuestion key="b" store={store} />]}
        />
      </section>
    </SeparateSelection>
  );
}

function FirstQuestion({ outcome: { question, modelVersion } }: { readonly outcome: Outcome }) {
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

/** The question of B, as that of A until it is changed. */
function SecondQuestion({ store }: { readonly store: CompareStore }) {
  const question = useValueOf(store, (state) => state.question);
  const model = useValueOf(store, (state) => state.model);
  const { edit, setFactor, run } = store.getState();
  const facts = useStoreValue('models', ({ models }) => models.find(({ name }) => name === model));
  const warning = lengthWarning(question, facts?.contextTokens);
  const words = compareWords().question;
  const { factor } = question.settings;
  const strength = strengthText(factor);
  const onKeyDown = runOnEnter(() => void run());
  return (
    <section className={styles.question} data-side="b" aria-label={words.b}>
      <h3 className={panel.blockTitle}>B</h3>
      {(['prompt', 'target'] as const).map((part) => (
        <div key={part} className={styles.field}>
          <LabelRow htmlFor={`compare-${part}`} label={words.textOfB[part]} />
          <GrowingTextarea
            id={`compare-${part}`}
            value={question[part]}
            onChange={({ target }) => edit({ [part]: target.value })}
            onKeyDown={onKeyDown}
          />
          {part === 'prompt' && warning && <p className={panel.note}>{warning}</p>}
          {part === 'prompt' && question.picture && <p className={panel.note}>{words.pictureStays}</p>}
        </div>
      ))}
      <div className={styles.field}>
        <span>{words.strengthIs(strength)}</span>
        <StopsSlider
          label={words.strengthOfB}
          stops={FACTORS}
          value={factor}
          text={strength}
          onChange={setFactor}
          onKeyDown={onKeyDown}
        />
      </div>
      <ModelChoice store={store} model={model} />
      <RunRow store={store} />
    </section>
  );
}

/** Handles the keys of a variation: its Ctrl or Cmd with Enter runs it, and not the question of the page. */
function runOnEnter(run: () => void) {
  return (event: KeyboardEvent) => {
    if (!isEnterShortcut(event)) return;
    event.stopPropagation();
    event.preventDefault();
    if (!event.repeat) run();
  };
}

/** Only models that can explain as that of A does, which a server's cannot; a sentence where there is only one. */
function ModelChoice({ store, model }: { readonly store: CompareStore; readonly model: string }) {
  const choices = useStoreValue('settings', (state) => state.choices.explain);
  const models = useStoreValue('models', (state) => state.models);
  const names = choices.filter((one) => !models.some(({ name, upstream }) => name === one && upstream !== null));
  const words = compareWords().question;
  if (names.length < 2) return <p className={panel.note}>{words.onlyModel(model)}</p>;
  return (
    <SelectField
      label={words.modelOfB}
      options={names.map((name) => ({ value: name, text: name }))}
      value={model}
      onChoose={store.getState().choose}
    />
  );
}

/** Whether B is another question now than that of its outcome. */
function hasChanged({ phase, question, model, requestedModel }: ReturnType<CompareStore['getState']>): boolean {
  return (
    phase.kind === 'done' && (model !== requestedModel || !isSameQuestion(question, originalQuestion(phase.outcome)))
  );
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
              ? promptWords().run.missing[missing]
              : isStale
                ? words.changed
                : phase.kind === 'done' && words.done}
        </span>
      </div>
      {isRunning && <ProgressBar label={words.share} share={share} />}
      {phase.kind === 'failed' && <VariationProblem phase={phase} testId="compare-problem" />}
    </div>
  );
}
