import { modelAnswerText, tokenText } from '../../figures/caption.ts';
import { canCalibrate } from '../../client/ask-defaults.ts';
import { charactersOf } from '../../explanations/segmentation.ts';
import { useEffect, useMemo, useState } from 'react';
import { NEUTRAL_NATS, sectionOf, textIn } from '../../explanations/influence.ts';
import { crossCheck, isDoubtful } from '../../explanations/cross-check.ts';
import { hasEstimates, isModelChoice, modelAnswerOf, type Outcome } from '../../explanations/outcome.ts';
import { budgetOf, DEFAULT_QUESTION_SETTINGS } from '../../explanations/question.ts';
import panel from '../../figures/panel.module.css';
import {
  capitalised,
  changeOf,
  natsText,
  quotedTarget,
  percentText,
  sectionPhrase,
  timesText,
} from '../../figures/texts.ts';
import { resultWords } from '../../figures/words.en.ts';
import { Button } from '../../parts/buttons.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import { hashOfPart } from '../../stores/page-store.ts';
import { useModelFacts, useStores, useStoreValue } from '../../stores/use-stores.ts';
import { fixedText, numberText } from '../../words/language.ts';
import styles from './outcome-view.module.css';

type CrossCheck = NonNullable<Awaited<ReturnType<typeof crossCheck>>>;

/** Notes below the caption: estimates, deletions that contradict the scores, and the model's own continuation. */
export function OutcomeNotes({ outcome }: { readonly outcome: Outcome }) {
  useCalibration(outcome.modelVersion !== null);
  return (
    <>
      <EstimatesNote outcome={outcome} />
      {outcome.sinks.map((sink) => (
        <SinkNote key={sink.id} outcome={outcome} sink={sink} />
      ))}
      <DeletionNote outcome={outcome} />
      <ModelAnswerNote outcome={outcome} />
    </>
  );
}

/** Calibrates the model of the page, once, in the background. @param isExplained  whether there is an explanation already */
function useCalibration(isExplained: boolean): void {
  const { settings, variations } = useStores();
  const facts = useModelFacts();
  const calibrations = useStoreValue('settings', (state) => state.settings.calibrations);
  const isOwn = facts?.writes === true && facts.tier === 'steered' && canCalibrate(facts.name);
  const model = isExplained && isOwn && !Object.hasOwn(calibrations, facts.name) ? facts : null;
  useEffect(() => {
    if (!model) return undefined;
    const controller = new AbortController();
    const run = async () => {
      const { calibrate } = await import('../../explanations/calibration.ts');
      const found = await calibrate(variations.getState().source.client, model, controller.signal);
      const { change, settings: current } = settings.getState();
      if (found) change({ calibrations: { ...current.calibrations, [model.name]: found } });
    };
    run().catch((error: unknown) => {
      if (!controller.signal.aborted) console.error(error); // explanations work without it; the next one tries again
    });
    return () => controller.abort();
  }, [settings, variations, model]);
}

/** The number of estimates, with a button that computes them exactly; where the question allowed estimates and all scores are exact, it says so. */
function EstimatesNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const words = resultWords().estimates;
  if (!hasEstimates(outcome)) {
    const { modelVersion, question, upstream } = outcome;
    const isExactAnyway = modelVersion !== null && budgetOf(question, upstream) !== undefined;
    return isExactAnyway && <p className={panel.note}>{words.none}</p>;
  }
  const { sections } = outcome.influence;
  const estimated = sections.filter(({ margins }) => margins).length;
  const makeExact = () => {
    explain.getState().adjust({ accuracy: 'exact' });
    void explain.getState().run();
  };
  return (
    <p className={panel.note} data-testid="estimates">
      {words.some(numberText(estimated), numberText(sections.length))}{' '}
      {!isRunning && (
        <Button look="quiet" focus="run" onClick={makeExact}>
          {words.makeExact}
        </Button>
      )}
    </p>
  );
}

/** Why a section is not named although its score is greater than that of the reasons. */
function SinkNote({ outcome, sink }: { readonly outcome: Outcome; readonly sink: Outcome['sinks'][number] }) {
  const { influence, question } = outcome;
  const section = sectionOf(influence, sink.id);
  if (!section) return null;
  const words = resultWords().sink;
  const names = { section: sectionPhrase(section), goal: quotedTarget(textIn(influence, 'whole')) };
  const { lossAfter } = sink;
  const holds = lossAfter !== null && lossAfter >= NEUTRAL_NATS;
  const control =
    holds && words.holds({ ...names, change: changeOf(question.settings.factor), nats: fixedText(lossAfter, 2) });
  return (
    <p className={panel.note} data-testid="sink">
      {control && `${capitalised(control)} `}
      {capitalised(words.notNamed(names))} <a href={hashOfPart('learn', 'sinks')}>{words.lesson}</a>
    </p>
  );
}

/** What shows more where long sections are dimmed, and where sections are strengthened. */
const SPLIT = { label: 'splitByWord', change: { granularity: 'word' } } as const;
const DIM = { label: 'dimInstead', change: { factor: DEFAULT_QUESTION_SETTINGS.factor } } as const;

/** Sections whose deletion contradicts their score, with a button for a better question; or a sentence that all agree. */
function DeletionNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const words = resultWords().deletion;
  const check = useCrossCheck(outcome);
  if (check === 'running') return <p className={panel.note}>{words.checking}</p>;
  if (!check) return null;
  const { checked, contradictions } = check;
  if (contradictions.length === 0)
    return <p className={panel.note}>{checked === 1 ? words.agreesOne : words.agrees(numberText(checked))}</p>;
  const { factor } = outcome.question.settings;
  const { label, change } = factor > 1 ? DIM : SPLIT;
  const runChanged = () => {
    explain.getState().adjust(change);
    void explain.getState().run();
  };
  return (
    <div className={panel.contradiction} data-testid="contradiction">
      {contradictions.map((contradiction) => (
        <p key={contradiction.section.id}>{contradictionText(contradiction, factor)}</p>
      ))}
      <Button onClick={runChanged}>{words[label]}</Button>
    </div>
  );
}

/** Null where there is nothing to check, as where the sections are single words. */
function useCrossCheck(outcome: Outcome) {
  const { variations } = useStores();
  const isChecked = useMemo(() => outcome.modelVersion !== null && isDoubtful(outcome), [outcome]);
  const [done, setDone] = useState<{ readonly of: Outcome; readonly check: CrossCheck | null } | null>(null);
  useEffect(() => {
    if (!isChecked) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    crossCheck(outcome, variations.getState().source, signal)
      .catch(() => null) // aborted by a newer outcome, or the connection is lost: the outcome is shown without it
      .then((check) => !signal.aborted && setDone({ of: outcome, check }));
    return () => controller.abort();
  }, [variations, isChecked, outcome]);
  if (!isChecked) return null;
  return done?.of === outcome ? done.check : 'running';
}

function contradictionText({ section, loss }: CrossCheck['contradictions'][number], factor: number): string {
  const { total } = section;
  const signs = { isSupport: total > 0, isLess: loss > 0 };
  const numbers = { nats: natsText(total), times: timesText(loss) ?? '' }; // a clear loss is never hardly any change
  const names = { section: sectionPhrase(section), change: changeOf(factor) };
  return capitalised(resultWords().deletion.contradicts({ ...names, ...numbers, ...signs }));
}

/** What the model itself says, beside a target of the user's. */
function ModelAnswerNote({ outcome: { prediction, asked } }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  if (!prediction || asked === '') return null;
  const { text, isBroken } = modelAnswerOf(prediction);
  const canBeTarget = text.trim() !== '' && !isBroken && !isModelChoice(prediction);
  const explainInstead = () => {
    explain.getState().edit({ target: '' });
    void explain.getState().run();
  };
  return (
    <div className={styles.own} data-testid="own-answer">
      <p>{modelAnswerText(prediction)}</p>
      {canBeTarget && (
        <Button look="quiet" focus="run" onClick={explainInstead}>
          {resultWords().own.explainInstead}
        </Button>
      )}
    </div>
  );
}

/** The likeliest tokens at each position of the target, in a fold. */
export function Alternatives({ outcome: { prediction, question } }: { readonly outcome: Outcome }) {
  const target = prediction?.target;
  if (!target) return null;
  const words = resultWords().own;
  const tokens = target.tokens.map(({ token }) => token);
  const characters = charactersOf(tokens, question.target);
  return (
    <details className={styles.fold}>
      <summary>{words.alternatives}</summary>
      <ol className={styles.positions}>
        {[...target.tokens.entries()].map(([position, { token, log_probability, alternatives }]) => (
          <li key={position}>
            <Sentence
              text={words.position}
              parts={{
                token: <b>{tokenText(token, characters[position])}</b>,
                share: percentText(Math.exp(log_probability)),
                others: alternatives
                  .map((other) => `${tokenText(other.token)} ${percentText(Math.exp(other.log_probability))}`)
                  .join(', '),
              }}
            />
          </li>
        ))}
      </ol>
    </details>
  );
}
