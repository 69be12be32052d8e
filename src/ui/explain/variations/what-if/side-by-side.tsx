import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import type { PredictedToken } from '../../../../contract/likelihood/predict.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { ownAnswerOf, type Prediction, targetProbability } from '../../../../state/explain/prediction.ts';
import type { WhatIfAnswer, WhatIfStore } from '../../../../state/variations/what-if-store.ts';
import { whatIfWords } from '../../../../words/en/explain/what-if.ts';
import { Button } from '../../../parts/buttons.tsx';
import { useValueOf } from '../../../use-stores.ts';
import { saidWords, tokenText } from '../../result/head/own-answer-text.ts';
import { nextStepAfter, problemText } from '../../problem/next-step.ts';
import { percentText, quoted } from '../../texts.ts';
import problem from '../../problem/problem.module.css';
import styles from './what-if.module.css';
import { changeText } from './what-if-texts.ts';

/** See `SideBySide`. */
export interface SideBySideProps {
  readonly outcome: Outcome;
  readonly store: WhatIfStore;
  /** The button that asks again goes with its problem, so the focus must go elsewhere. */
  readonly onRetry: () => void;
}

/** What the model says as it is, and with the changes. */
export function SideBySide({ outcome, store, onRetry }: SideBySideProps) {
  const answer = useValueOf(store, (state) => state.answer);
  const isComputing = useSlow(useValueOf(store, (state) => state.isComputing));
  const { prediction, question } = outcome;
  if (!prediction) return null;
  const words = whatIfWords();
  const retry = () => {
    store.getState().retry();
    onRetry();
  };
  const after = answer.kind === 'answered' ? answer.prediction : null;
  const unanswered = answer.kind === 'none' ? words.none : '';
  const summary = after ? changeText(prediction, after, question.target) : unanswered;
  return (
    <>
      <Problem answer={answer} onRetry={retry} />
      <p className={styles.summary} data-testid="what-if-summary" data-summary tabIndex={-1}>
        {isComputing ? words.computing : summary}
      </p>
      <Announcement text={after && !isComputing ? summary : ''} />
      <table className={styles.sides} data-testid="what-if-sides" aria-busy={isComputing}>
        <thead>
          <tr>
            <th scope="col">{words.unchanged}</th>
            <th scope="col">{words.withChanges}</th>
          </tr>
        </thead>
        <Pair title={words.says} before={prediction} after={after} cell={saidText} />
        <Pair title={words.probability(quoted(question.target))} before={prediction} after={after} cell={targetText} />
        <Pair title={words.nextTokens} before={prediction} after={after} cell={nextTokens} />
      </table>
    </>
  );
}

interface PairProps {
  readonly title: string;
  readonly before: Prediction;
  readonly after: Prediction | null;
  readonly cell: (prediction: Prediction) => ReactNode;
}

/** The title stands above both values, which have little width on a phone. */
function Pair({ title, before, after, cell }: PairProps) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={2}>
          {title}
        </th>
      </tr>
      <tr>
        <td>{cell(before)}</td>
        <td data-changed>{after ? cell(after) : '–'}</td>
      </tr>
    </tbody>
  );
}

function saidText(prediction: Prediction): string {
  const own = ownAnswerOf(prediction);
  return `${saidWords(own) ?? whatIfWords().nothing} (${percentText(own.probability)})`;
}

function targetText(prediction: Prediction): string {
  return percentText(targetProbability(prediction) ?? 0);
}

/** Tokens in place of the target's first one. */
function nextTokens({ target }: Prediction): ReactNode {
  return (
    <ol className={styles.tokens}>
      {target?.tokens[0]?.alternatives.map((token, rank) => (
        // oxlint-disable-next-line react/no-array-index-key -- a rank; two parts of characters look the same
        <li key={rank} style={shareStyle(token)}>
          {tokenText(token.token)} <span>{percentText(Math.exp(token.log_probability))}</span>
        </li>
      ))}
    </ol>
  );
}

/** A token can be a few bytes of a character, which nobody can read. */
function shareStyle({ log_probability }: PredictedToken): CSSProperties & { '--share': string } {
  return { '--share': Math.exp(log_probability).toFixed(4) };
}

/** Why there is no answer, and what can be done. The changes stay. */
function Problem({ answer, onRetry }: { readonly answer: WhatIfAnswer; readonly onRetry: () => void }) {
  if (answer.kind === 'other model')
    return (
      <p className={problem.problem} role="alert">
        {whatIfWords().otherModel(answer.modelVersion)}
      </p>
    );
  if (answer.kind !== 'failed') return null;
  const { title, step } = nextStepAfter(answer.problem.code);
  return (
    <div className={problem.problem} role="alert" data-testid="what-if-problem">
      <p>
        <b>{title}.</b> {problemText(answer.problem.message)} {step}
      </p>
      <Button onClick={onRetry}>{whatIfWords().tryAgain}</Button>
    </div>
  );
}

/** Shorter waits are not shown: a slider that moves would make the words flicker. */
const SLOW_MS = 300;

/** Whether something has been going on for a while. */
function useSlow(isGoingOn: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isGoingOn]);
  return isSlow;
}

/** After this time without a change a result is read out: a slider that moves says its own value already. */
const QUIET_MS = 1000;

/** Tells screen readers what the changes do, once they rest. */
function Announcement({ text }: { readonly text: string }) {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {spoken}
    </p>
  );
}
