import {
  isOwnChoice,
  type OwnAnswer,
  ownAnswerOf,
  type Prediction,
  targetProbability,
} from '../../../../state/explain/prediction.ts';
import { charactersOf, FRAGMENT } from '../../../../state/explain/text/target-words.ts';
import { Button } from '../../../parts/buttons.tsx';
import { focusOn } from '../../../parts/focus.ts';
import { useStores } from '../../../use-stores.ts';
import { isolated } from '../../scripts.ts';
import { nameOf, percentText, visibleText } from '../../texts.ts';
import styles from './own-answer.module.css';

/** What the model itself says behind the prompt, beside the target, and what else it thinks likely at each of its tokens. */
export function OwnAnswerNote({ prediction, target }: { readonly prediction: Prediction; readonly target: string }) {
  const own = ownAnswerOf(prediction);
  return (
    <div className={styles.own} data-testid="own-answer">
      <p>
        {saidText(own)} ({percentText(own.probability)}). {ratedText(prediction)}
      </p>
      {isAskable(own) && !isOwnChoice(prediction) && <ExplainInstead text={own.text} />}
      <Alternatives prediction={prediction} text={target} />
    </div>
  );
}

function saidText({ text, isCut, isBroken }: OwnAnswer): string {
  if (text.trim() === '') return 'The model itself ends the text here';
  if (isBroken) return 'The model itself writes bytes that make up no readable text';
  return `The model itself says ‘${nameOf(text, 60)}${isCut ? ' …' : ''}’`;
}

function isAskable({ text, isCut, isBroken }: OwnAnswer): boolean {
  return text.trim() !== '' && !isCut && !isBroken;
}

function ratedText(prediction: Prediction): string {
  const probability = targetProbability(prediction);
  if (probability === null) return '';
  return isOwnChoice(prediction)
    ? `The target is its own choice (${percentText(probability)}).`
    : `It gives the target a probability of ${percentText(probability)}.`;
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
      Explain what it says instead
    </Button>
  );
}

/** The likeliest tokens at each position of the target, folded away until they are asked for. */
function Alternatives({ prediction: { target }, text }: { readonly prediction: Prediction; readonly text: string }) {
  if (!target) return null;
  const tokens = target.tokens.map(({ token }) => token);
  const whole = charactersOf(tokens, text);
  return (
    <details className={styles.fold}>
      <summary>Likeliest tokens at each position</summary>
      <ol className={styles.positions}>
        {target.tokens.map(({ token, log_probability, alternatives }, position) => (
          // oxlint-disable-next-line react/no-array-index-key -- a position is its place in the target
          <li key={position}>
            <b>{tokenText(token, whole[position])}</b> {percentText(Math.exp(log_probability))}; likeliest:{' '}
            {alternatives
              .map((each) => `${tokenText(each.token)} ${percentText(Math.exp(each.log_probability))}`)
              .join(', ')}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A token as one can read it. @param whole what a part of a character is a part of, where that is known */
function tokenText(token: string, whole?: string): string {
  if (!token.includes(FRAGMENT)) return isolated(visibleText(token));
  return whole === undefined ? '(part of a character)' : `part of ${isolated(visibleText(whole))}`;
}
