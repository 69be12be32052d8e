import { isOwnChoice, type OwnAnswer, ownAnswerOf, type Prediction } from '../../../../state/explain/prediction.ts';
import { charactersOf } from '../../../../state/explain/text/target-words.ts';
import type { PredictedToken } from '../../../../contract/likelihood/predict.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { Button } from '../../../parts/buttons.tsx';
import { focusOn } from '../../../parts/focus.ts';
import { Sentence } from '../../../parts/sentence.tsx';
import { useStores } from '../../../use-stores.ts';
import { percentText } from '../../texts.ts';
import { ownAnswerText, tokenText } from './own-answer-text.ts';
import styles from './own-answer.module.css';

/** What the model itself says behind the prompt, beside the target, and what else it thinks likely at each of its tokens. */
export function OwnAnswerNote({ prediction, target }: { readonly prediction: Prediction; readonly target: string }) {
  const own = ownAnswerOf(prediction);
  return (
    <div className={styles.own} data-testid="own-answer">
      <p>{ownAnswerText(prediction)}</p>
      {canBeAsked(own) && !isOwnChoice(prediction) && <ExplainInstead text={own.text} />}
      <Alternatives prediction={prediction} text={target} />
    </div>
  );
}

function canBeAsked({ text, isCut, isBroken }: OwnAnswer): boolean {
  return text.trim() !== '' && !isCut && !isBroken;
}

function ExplainInstead({ text }: { readonly text: string }) {
  const { explain } = useStores();
  return (
    <Button
      look="quiet"
      onClick={() => {
        focusOn('run'); // this button goes
        explain.getState().edit({ target: text });
        void explain.getState().run();
      }}
    >
      {resultWords().own.explainInstead}
    </Button>
  );
}

/** The likeliest tokens at each position of the target, folded away until they are asked for. */
function Alternatives({ prediction: { target }, text }: { readonly prediction: Prediction; readonly text: string }) {
  if (!target) return null;
  const words = resultWords().own;
  const tokens = target.tokens.map(({ token }) => token);
  const whole = charactersOf(tokens, text);
  return (
    <details className={styles.fold}>
      <summary>{words.alternatives}</summary>
      <ol className={styles.positions}>
        {target.tokens.map(({ token, log_probability, alternatives }, position) => (
          // oxlint-disable-next-line react/no-array-index-key -- a position is its place in the target
          <li key={position}>
            <Sentence
              text={words.position}
              parts={{
                token: <b>{tokenText(token, whole[position])}</b>,
                share: percentText(Math.exp(log_probability)),
                others: othersText(alternatives),
              }}
            />
          </li>
        ))}
      </ol>
    </details>
  );
}

function othersText(alternatives: readonly PredictedToken[]): string {
  return alternatives
    .map(({ token, log_probability }) => `${tokenText(token)} ${percentText(Math.exp(log_probability))}`)
    .join(', ');
}
