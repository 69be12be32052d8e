import { TEXT_SETS } from '../../state/inside/examples.ts';
import type { InsideLives } from '../../state/inside/lives.ts';
import { FEWEST_TEXTS, MOST_TEXTS } from '../../state/inside/similarity.ts';
import { insideWords } from '../../words/en/inside.ts';
import { numberText } from '../../words/numbers.ts';
import { Button } from '../parts/buttons.tsx';
import { GrowingTextarea } from '../parts/fields/growing-textarea.tsx';
import { focusOn } from '../parts/focus.ts';
import { useValueOf } from '../use-stores.ts';
import styles from './inside-page.module.css';

/** See `TextList`. */
interface TextListProps {
  readonly store: InsideLives['similarity'];
}

/** The texts to compare: to change, to add, to remove, or an example. What an example or a removal replaces comes back by Undo of the panel. */
export function TextList({ store }: TextListProps) {
  const { texts } = useValueOf(store, (state) => state.asked);
  const { edit, replace, run } = store.getState();
  return (
    <div className={styles.fields}>
      <Examples
        onChoose={(next) => {
          replace({ texts: next });
          void run();
        }}
      />
      <ol className={styles.texts}>
        {texts.map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a text is its place in the list
          <li key={index} className={styles.textRow}>
            <TextRow
              text={text}
              index={index}
              canGo={texts.length > FEWEST_TEXTS}
              onChange={(value) => edit({ texts: texts.with(index, value) })}
              onRemove={() => {
                focusOn('add-text'); // this button goes
                replace({ texts: texts.toSpliced(index, 1) });
              }}
            />
          </li>
        ))}
      </ol>
      <AddButton canAdd={texts.length < MOST_TEXTS} onAdd={() => edit({ texts: [...texts, ''] })} />
    </div>
  );
}

function Examples({ onChoose }: { readonly onChoose: (texts: readonly string[]) => void }) {
  const words = insideWords().similarity;
  return (
    <div className={styles.row} role="group" aria-label={words.examples}>
      <span className={styles.note}>{words.examples}</span>
      {TEXT_SETS.map(({ name, texts }) => (
        <Button key={name} look="quiet" onClick={() => onChoose(texts)}>
          {words.sets[name]}
        </Button>
      ))}
    </div>
  );
}

interface TextRowProps {
  readonly text: string;
  readonly index: number;
  readonly canGo: boolean;
  readonly onChange: (value: string) => void;
  readonly onRemove: () => void;
}

function TextRow({ text, index, canGo, onChange, onRemove }: TextRowProps) {
  const words = insideWords().similarity;
  const number = numberText(index + 1);
  return (
    <>
      <span className={styles.number} aria-hidden>
        {number}
      </span>
      <div>
        <GrowingTextarea
          aria-label={words.label(number)}
          data-testid="inside-text"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <Button look="quiet" aria-label={words.remove(number)} disabled={!canGo} onClick={onRemove}>
        ×
      </Button>
    </>
  );
}

interface AddButtonProps {
  readonly canAdd: boolean;
  readonly onAdd: () => void;
}

function AddButton({ canAdd, onAdd }: AddButtonProps) {
  return (
    <div className={styles.row}>
      <Button id="add-text" look="quiet" aria-disabled={!canAdd} onClick={() => canAdd && onAdd()}>
        {insideWords().similarity.add}
      </Button>
    </div>
  );
}
