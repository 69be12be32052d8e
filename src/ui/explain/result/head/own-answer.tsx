import { isOwnChoice, ownAnswerOf, type Prediction, targetProbability } from '../../../../state/explain/prediction.ts';
import { Button } from '../../../parts/buttons.tsx';
import { focusOn } from '../../../parts/focus.ts';
import { useStores } from '../../../use-stores.ts';
import { nameOf, percentText, visibleText } from '../../texts.ts';
import styles from './own-answer.module.css';

/** What the model itself says behind the prompt, beside the target, and what else it thinks likely at each of its tokens. */
export function OwnAnswer({ prediction }: { readonly prediction: Prediction }) {
  const own = ownAnswerOf(prediction);
  const words = own.text.trim() === '' ? null : `‘${nameOf(own.text, 60)}${own.isCut ? ' …' : ''}’`;
  return (
    <div className={styles.own} data-testid="own-answer">
      <p>
        {words ? `The model itself says ${words}` : 'The model itself ends the text here'} (
        {percentText(own.probability)}). {ratedText(prediction)}
      </p>
      {words && !own.isCut && !isOwnChoice(prediction) && <ExplainInstead text={own.text} />}
      <Alternatives prediction={prediction} />
    </div>
  );
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
function Alternatives({ prediction: { target } }: { readonly prediction: Prediction }) {
  if (!target) return null;
  return (
    <details className={styles.fold}>
      <summary>Likeliest tokens at each position</summary>
      <ol className={styles.positions}>
        {target.tokens.map(({ token, log_probability, alternatives }, position) => (
          // oxlint-disable-next-line react/no-array-index-key -- a position is its place in the target
          <li key={position}>
            <b>{visibleText(token)}</b> {percentText(Math.exp(log_probability))}; likeliest:{' '}
            {alternatives
              .map((each) => `${visibleText(each.token)} ${percentText(Math.exp(each.log_probability))}`)
              .join(', ')}
          </li>
        ))}
      </ol>
    </details>
  );
}
