import { WideTable } from '../../../parts/layout/wide-table.tsx';
import { captionOf, modelAnswerText } from '../../../figures/caption.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { largestIn, NEUTRAL_NATS, type Section } from '../../../explanations/influence.ts';
import type { Outcome } from '../../../explanations/outcome.ts';
import { addsLogarithm } from '../../../explanations/question.ts';
import { activeIn } from '../../../explanations/selection-store.ts';
import { comparisonOf, differencesOf, largestDifferences, sideOf } from './comparison.ts';
import { compareWords } from './words.en.ts';
import { resultWords } from '../../../figures/words.en.ts';
import { numberText } from '../../../words/language.ts';
import outcomeStyles from '../outcome-view.module.css';
import { useStoreValue } from '../../../stores/use-stores.ts';
import '../../../figures/elements/score-scale.ts';
import { useHeatData } from '../../../figures/heat/heat-map.tsx';
import { useLinkedElement } from '../../../figures/section-links.ts';
import heat from '../../../figures/heat/heat-map.module.css';
import table from '../../../figures/score-table.module.css';
import { natsText, quoted, sectionName, sectionPhrase, timesFactor } from '../../../figures/texts.ts';
import panel from '../../../figures/panel.module.css';
import styles from './comparison.module.css';

type Comparison = ReturnType<typeof comparisonOf>;

/** Both questions, both outcomes on one scale, and their difference. */
export function Sides(props: {
  readonly first: Outcome;
  /** Null before its first sections are explained. */
  readonly second: Outcome | null;
  readonly questions: readonly [a: ReactNode, b: ReactNode];
}) {
  const { first, second } = props;
  const [questionA, questionB] = props.questions;
  const comparison = useMemo(() => second && comparisonOf(first, second), [first, second]);
  const influences = second ? [first.influence, second.influence] : [first.influence];
  const largest = {
    picture: largestIn(
      influences.flatMap(({ picture }) => picture),
      'whole',
    ),
    text: largestIn(
      influences.flatMap(({ prompt }) => prompt),
      'whole',
    ),
  };
  return (
    <>
      <div className={styles.sides}>
        {questionA}
        <SideOutcome side="a" outcome={first} comparison={comparison} largest={largest} />
        {questionB}
        {second && <SideOutcome side="b" outcome={second} comparison={comparison} largest={largest} />}
      </div>
      {second && comparison && <Difference a={first} b={second} comparison={comparison} largest={largest} />}
    </>
  );
}

/** Largest scores of picture and text, nats: each has a scale of its own, which both sides share. */
interface SharedScale {
  readonly picture: number;
  readonly text: number;
}

/** One outcome: in words, the model's own continuation, and on the prompt. */
function SideOutcome(props: {
  readonly side: 'a' | 'b';
  readonly outcome: Outcome;
  /** Null before there are two outcomes. */
  readonly comparison: Comparison | null;
  readonly largest: SharedScale;
}) {
  const { side, outcome, comparison, largest } = props;
  const name = side.toUpperCase();
  const { influence, question, prediction } = outcome;
  const words = compareWords().side;
  const { lead, detail } = captionOf(outcome, 'whole');
  const parts = useMemo(() => (comparison ? sideOf(comparison, side) : influence), [comparison, side, influence]);
  return (
    <section className={styles.result} data-side={side} aria-label={words.result(name)} data-testid={`result-${side}`}>
      <p className={styles.lead}>
        {name}: {outcome.modelVersion === null && `${resultWords().soFar} `}
        {lead}
      </p>
      <p className={panel.note}>{detail}</p>
      {prediction && <p className={outcomeStyles.own}>{modelAnswerText(prediction)}</p>}
      <lightwell-heat-map
        ref={useLinkedElement()}
        className={heat.unscaled}
        data={useHeatData(question, parts)}
        view="whole"
        largest={largest}
        texts={{ picture: words.picture(name), text: words.prompt(name) }}
      />
    </section>
  );
}

/** The common scale, then A − B where sections match: in words, on the prompt of A, and as a table. */
function Difference(props: {
  readonly a: Outcome;
  readonly b: Outcome;
  readonly comparison: Comparison;
  readonly largest: SharedScale;
}) {
  const { a, b, comparison, largest } = props;
  const words = compareWords().difference;
  const problem = incomparableText(comparison);
  return (
    <>
      <Readout comparison={comparison} />
      {a.question.picture && <lightwell-scale largest={largest.picture} texts={{ note: words.pictureScale }} />}
      {(a.question.prompt !== '' || b.question.prompt !== '') && (
        <lightwell-scale largest={largest.text} texts={{ note: words.promptScale }} />
      )}
      <section className={`${panel.block} ${styles.difference}`} aria-label={words.label} data-testid="difference">
        <h3 className={panel.blockTitle}>{words.title}</h3>
        {problem ? (
          <p data-testid="incomparable">{problem}</p>
        ) : (
          <>
            <p className={styles.lead}>{differenceText(comparison)}</p>
            <p className={panel.note}>
              {words.about} {unlikeTexts(a, b).join(' ')}
            </p>
            <DifferenceMaps a={a} comparison={comparison} />
          </>
        )}
        <DifferenceTable comparison={comparison} />
      </section>
    </>
  );
}

function DifferenceMaps({ a, comparison }: { readonly a: Outcome; readonly comparison: Comparison }) {
  const parts = useMemo(() => differencesOf(comparison), [comparison]);
  const { low, high, picture, prompt: text } = compareWords().difference;
  return (
    <lightwell-heat-map
      ref={useLinkedElement()}
      className={heat.bare}
      data={useHeatData(a.question, parts)}
      view={0}
      texts={{ low, high, picture, text }}
    />
  );
}

/** The numbers of the section under the pointer, in both outcomes. */
function Readout({ comparison: { sections } }: { readonly comparison: Comparison }) {
  const words = compareWords().difference;
  const id = useStoreValue('selection', activeIn);
  const compared = sections.find((section) => section.id === id);
  const section = compared?.a ?? compared?.b;
  return (
    <p className={heat.readout} data-testid="compare-readout">
      {compared && section ? (
        <>
          <strong className={heat.name}>{sectionPhrase(section, 48)}</strong>
          <span className={heat.score}>
            A {scoreText(compared.a)}, B {scoreText(compared.b)}
          </span>
          {compared.difference !== null && <span>{words.unit(natsText(compared.difference))}</span>}
        </>
      ) : (
        words.readout
      )}
    </p>
  );
}

function scoreText(section: Section | null): string {
  return section ? natsText(section.total) : compareWords().difference.none;
}

/** All numbers, in a fold; built when it is opened. */
function DifferenceTable({ comparison: { sections } }: { readonly comparison: Comparison }) {
  const words = compareWords().difference;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={table.fold} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.table}</summary>
      {isOpen && (
        <WideTable
          label={words.table}
          caption={null}
          testId="difference-table"
          className={table.table}
          frameClass={table.scroll}
          head={[words.section, words.a, words.b, 'A − B']}
          rows={sections.map(({ a, b, difference }) => ({
            name: sectionNameOf(a ?? b),
            cells: [scoreText(a), scoreText(b), difference === null ? '–' : natsText(difference)],
          }))}
        />
      )}
    </details>
  );
}

function sectionNameOf(section: Section | null): string {
  return section ? sectionName(section) : '';
}

/** Why the page shows no difference; null where it does. */
export function incomparableText({ reasons }: Comparison): string | null {
  const words = compareWords();
  return reasons.length === 0 ? null : words.incomparable(reasons.map((reason) => words.reasons[reason]));
}

/** The largest difference, and what has no match. */
export function differenceText(comparison: Comparison): string {
  const words = compareWords().difference;
  const isMatched = comparison.sections.some(({ a, b }) => a && b);
  if (!isMatched) return words.noMatch;
  const [top] = largestDifferences(comparison);
  if (!top?.a || !top.b) return `${words.small(numberText(NEUTRAL_NATS))} ${unmatchedText(comparison)}`.trim();
  const [a, b] = [natsText(top.a.total), natsText(top.b.total)];
  const largest = words.largest(sectionPhrase(top.a), a, b, natsText(top.difference ?? 0));
  return `${largest} ${unmatchedText(comparison)}`.trim();
}

function unmatchedText({ sections }: Comparison): string {
  const onlyA = sections.filter(({ b }) => !b).length;
  const onlyB = sections.filter(({ a }) => !a).length;
  return onlyA + onlyB === 0 ? '' : compareWords().difference.unmatched(onlyA, onlyB);
}

/** The other differences of the questions, one sentence each: a part of the difference may come from them. */
export function unlikeTexts(a: Outcome, b: Outcome): string[] {
  const words = compareWords().unlike;
  const [of, to] = [a.question, b.question];
  const [from, into] = [of.settings, to.settings];
  const texts: readonly (readonly [isUnlike: boolean, text: string])[] = [
    [of.target !== to.target, words.target(quoted(of.target), quoted(to.target))],
    [from.factor !== into.factor, words.factor(timesFactor(from.factor), timesFactor(into.factor))],
    [addsLogarithm(from) !== addsLogarithm(into), words.scaling],
    [a.modelVersion !== b.modelVersion, words.model(a.modelVersion ?? '', b.modelVersion ?? '')],
  ];
  return texts.flatMap(([isUnlike, text]) => (isUnlike ? [text] : []));
}
