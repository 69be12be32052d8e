import type { PointerEvent } from 'react';
import { namesWord, type ScoreView, viewIn } from '../../explanations/influence.ts';
import { modelAnswerOf, type Outcome, targetProbability } from '../../explanations/outcome.ts';
import panel from '../../figures/panel.module.css';
import { percentText, quoted } from '../../figures/texts.ts';
import { resultWords } from '../../figures/words.en.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { visibleText } from '../../words/language.ts';
import styles from './answer-words.module.css';

/** The model's own answer, or another target, word by word. Pressed words limit the result to them; pointing at a word previews it. */
export function AnswerWords({ outcome }: { readonly outcome: Outcome }) {
  const { influence, asked, prediction } = outcome;
  const { selection } = useStores();
  const view = viewIn(
    influence,
    useStoreValue('selection', (state) => state.view),
  );
  const words = resultWords().targets;
  const { choose, hoverView } = selection.getState();
  const preview = ({ pointerType }: PointerEvent, index: number) => pointerType === 'mouse' && hoverView(index);
  const probability = prediction && targetProbability(prediction);
  const targetWords = influence.targets.length > 1 ? [...influence.targets.entries()] : [];
  const isCut = asked === '' && prediction !== null && modelAnswerOf(prediction).isCut;
  return (
    <div className={styles.answer}>
      <span className={panel.note}>{asked === '' ? words.answer : words.target}</span>
      <p className={styles.text} role="group" aria-label={words.label} data-testid="target-tokens">
        {influence.targets.length === 1 && readable(influence.targets[0] ?? '')}
        {targetWords.map(([index, text]) => (
          <button
            key={index}
            type="button"
            className={styles.word}
            aria-pressed={namesWord(view, index)}
            data-content
            onClick={() => choose(toggled(view, index, influence.targets.length))}
            onPointerEnter={(event) => preview(event, index)}
            onPointerLeave={() => hoverView(null)}
          >
            {readable(text)}
          </button>
        ))}
        {isCut && ' …'}
        {probability !== null && <span className={panel.note}> {percentText(probability)}</span>}
      </p>
      {influence.targets.length > 1 && (
        <p className={panel.note}>
          {view === 'whole' ? (
            words.choose
          ) : (
            <Button look="quiet" onClick={() => choose('whole')}>
              {words.whole}
            </Button>
          )}
        </p>
      )}
      <ReadingNote outcome={outcome} />
    </div>
  );
}

function readable(text: string): string {
  return text.trim() === '' ? visibleText(text) : text.trim();
}

/** The view with a word added or removed; of no word or of all words it is the whole target. */
function toggled(view: ScoreView, index: number, count: number): ScoreView {
  const before = view === 'whole' ? [] : [view].flat();
  const after = before.includes(index) ? before.filter((one) => one !== index) : [...before, index];
  const [first] = after;
  if (first === undefined || after.length === count) return 'whole';
  return after.length === 1 ? first : after.toSorted((a, b) => a - b);
}

/** How the space before a target of the user's was taken, with a button for the other way; nothing where there is no other way. */
function ReadingNote({ outcome: { question, asked, modelVersion, upstream } }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const { isTargetExact } = question.settings;
  const isAsTyped = question.target === asked;
  // The model's own answer, and a target for a server, are always taken as they are.
  if (asked === '' || upstream !== null || modelVersion === null || (isAsTyped && !isTargetExact)) return null;
  const words = resultWords().reading;
  const change = () => {
    explain.getState().adjust({ isTargetExact: !isTargetExact });
    void explain.getState().run();
  };
  const text = isAsTyped
    ? words.exact
    : (question.target.startsWith(' ') ? words.withSpace : words.withoutSpace)(quoted(asked));
  return (
    <p className={panel.note} data-testid="reading">
      {text}
      <Button look="quiet" focus="run" onClick={change}>
        {isAsTyped ? words.asExpected : words.asTyped}
      </Button>
    </p>
  );
}
