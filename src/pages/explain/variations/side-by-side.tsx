import { TableHead } from '../../../parts/layout/blocks.tsx';
import { answerWords, tokenText } from '../../../figures/caption.ts';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { modelAnswerOf, type Outcome, type Prediction, targetProbability } from '../../../explanations/outcome.ts';
import type { WhatIfStore } from './what-if-store.ts';
import { contrastWords, whatIfWords } from './words.en.ts';
import { useValueOf } from '../../../stores/use-stores.ts';
import { natsText, percentText, quoted, quotedTarget, timesText } from '../../../figures/texts.ts';
import { VariationProblem } from './variation-parts.tsx';
import styles from './what-if.module.css';

/** The prediction of the outcome, and that with the changes. */
export function SideBySide(props: {
  readonly outcome: Outcome;
  readonly store: WhatIfStore;
  /** The button that tries again goes with its problem, so the focus must go elsewhere. */
  readonly onRetry: () => void;
}) {
  const { outcome, store, onRetry } = props;
  const changed = useValueOf(store, (state) => state.changed);
  const isComputing = useSlow(useValueOf(store, (state) => state.isComputing));
  const { prediction, question } = outcome;
  if (!prediction) return null;
  const words = whatIfWords();
  const after = changed.kind === 'done' ? changed.value : null;
  const placeholder = changed.kind === 'idle' ? words.none : '';
  const retry = () => {
    store.getState().retry();
    onRetry();
  };
  const summary = after ? changeText(prediction, after, question.target) : placeholder;
  return (
    <>
      {(changed.kind === 'failed' || changed.kind === 'other model') && (
        <VariationProblem
          phase={changed}
          otherModel={contrastWords().otherModel}
          testId="what-if-problem"
          onRetry={retry}
        />
      )}
      <p className={styles.summary} data-testid="what-if-summary" data-summary tabIndex={-1}>
        {isComputing ? words.computing : summary}
      </p>
      <Announcement text={after && !isComputing ? summary : ''} />
      <table className={styles.sides} data-testid="what-if-sides" aria-busy={isComputing}>
        <TableHead names={[words.unchanged, words.withChanges]} />
        <Pair title={words.says} before={prediction} after={after} cell={continuationText} />
        <Pair
          title={words.probability(quoted(question.target))}
          before={prediction}
          after={after}
          cell={(prediction) => percentText(targetProbability(prediction) ?? 0)}
        />
        <Pair title={words.nextTokens} before={prediction} after={after} cell={nextTokens} />
      </table>
    </>
  );
}

/** The title is above both values, which have little width on a phone. */
function Pair(props: {
  readonly title: string;
  readonly before: Prediction;
  readonly after: Prediction | null;
  readonly cell: (prediction: Prediction) => ReactNode;
}) {
  const { title, before, after, cell } = props;
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

function continuationText(prediction: Prediction): string {
  const answer = modelAnswerOf(prediction);
  return `${answerWords(answer) ?? whatIfWords().nothing} (${percentText(answer.probability)})`;
}

/** The likeliest tokens at the place of the target's first one. */
function nextTokens({ target }: Prediction): ReactNode {
  return (
    <ol className={styles.tokens}>
      {[...(target?.tokens[0]?.alternatives ?? []).entries()].map(([rank, { token, log_probability }]) => {
        const share = Math.exp(log_probability);
        const style: CSSProperties & { '--share': string } = { '--share': share.toFixed(4) };
        return (
          <li key={rank} style={style}>
            {tokenText(token)} <span>{percentText(share)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** Shorter waits are not shown: a slider that moves would make the words flicker. */
const SLOW_MS = 300;

function useSlow(isRunning: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isRunning]);
  return isSlow;
}

/** After this time without a change the summary is read out: a slider that moves says its own value already. */
const QUIET_MS = 1000;

/** Tells screen readers the effect of the changes, once they rest. */
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

/** The effect of the changes in two sentences: on the target's probability, and on the model's own continuation. */
export function changeText(before: Prediction, after: Prediction, target: string): string {
  return [targetChange(before, after, target), answerChange(before, after)].filter((text) => text !== '').join(' ');
}

function targetChange(before: Prediction, after: Prediction, target: string): string {
  if (!before.target || !after.target) return '';
  const nats = after.target.log_probability - before.target.log_probability;
  const from = percentText(targetProbability(before) ?? 0);
  const to = percentText(targetProbability(after) ?? 0);
  const change = { name: quotedTarget(target), times: timesText(nats), isLess: nats < 0, nats: natsText(nats) };
  return whatIfWords().target({ ...change, from: from === to ? null : from, to });
}

function answerChange(before: Prediction, after: Prediction): string {
  const words = whatIfWords();
  const [older, newer] = [before, after].map((one) => answerWords(modelAnswerOf(one)));
  if (older === newer) return newer ? words.stillSays(newer) : words.stillEnds;
  if (!newer) return words.nowEnds(older ?? '');
  return older ? words.nowSays(newer, older) : words.saysNow(newer);
}
