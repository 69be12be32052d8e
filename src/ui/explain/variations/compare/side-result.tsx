import { useMemo } from 'react';
import { largestIn, type Section } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { type Comparison, sideOf } from '../../../../state/variations/comparison.ts';
import { compareWords } from '../../../../words/en/explain/compare.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { captionOf } from '../../result/head/caption.ts';
import { ownAnswerText } from '../../result/head/own-answer-text.ts';
import { HeatMap } from '../../result/heat/heat-map.tsx';
import { PictureHeat } from '../../result/heat/picture-heat.tsx';
import own from '../../result/head/own-answer.module.css';
import panel from '../../result/result-panel.module.css';
import styles from './comparison.module.css';

/** Largest scores of picture and text, nats: each has a scale of its own, which both sides share. */
export interface SharedScale {
  readonly picture: number;
  readonly prompt: number;
}

/** The scale on which all these results have their colours. */
export function largestOfSides(outcomes: readonly Outcome[]): SharedScale {
  const largest = (sectionsOf: (outcome: Outcome) => readonly Section[]) =>
    Math.max(...outcomes.map((outcome) => largestIn(sectionsOf(outcome), 'whole')));
  return {
    picture: largest(({ influence }) => influence.picture),
    prompt: largest(({ influence }) => influence.prompt),
  };
}

/** See `SideResult`. */
export interface SideResultProps {
  readonly name: 'A' | 'B';
  readonly side: 'a' | 'b';
  readonly outcome: Outcome;
  /** null before there are two results. */
  readonly comparison: Comparison | null;
  readonly largest: SharedScale;
}

/** One result: in words, what the model itself says, and on the prompt. */
export function SideResult({ name, side, outcome, comparison, largest }: SideResultProps) {
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
      {prediction && <p className={own.own}>{ownAnswerText(prediction)}</p>}
      {question.picture && (
        <PictureHeat
          name={words.picture(name)}
          picture={question.picture}
          tiles={parts.picture}
          view="whole"
          largest={largest.picture}
        />
      )}
      {question.prompt !== '' && (
        <HeatMap
          name={words.prompt(name)}
          text={question.prompt}
          sections={parts.prompt}
          view="whole"
          largest={largest.prompt}
        />
      )}
    </section>
  );
}
