import { useState } from 'react';
import { csvText } from '../../../files/table/csv.ts';
import type { Colouring } from '../../../state/meaning/map/colouring.ts';
import type { DrawnMap } from '../../../state/meaning/map/map-store.ts';
import { MOST_COMPARED } from '../../../state/meaning/lists/matrix-store.ts';
import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { focusOn } from '../../parts/focus.ts';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

/** See `Chosen`. */
export interface ChosenProps {
  readonly drawn: DrawnMap;
  readonly colouring: Colouring;
}

/** Id of the button that saves the list, which is always there. */
const SAVE = 'save-chosen';

/** Texts of the list that are shown at first, and added with each press. */
const STEP = 20;

/** The texts of the map as a list: those that were chosen, else all of them. */
export function Chosen({ drawn, colouring }: ChosenProps) {
  const words = meaningMapWords();
  const { desk } = useRoom();
  const { chosen, active, activate } = useValueOf(desk, (state) => state);
  const texts = useCollected()?.table.texts ?? [];
  const [shown, setShown] = useState(STEP);
  const listed = chosen.length > 0 ? chosen : Array.from({ length: drawn.points.length / 2 }, (_, index) => index);
  const rest = Math.min(STEP, listed.length - shown);
  return (
    <section className={styles.chosen} aria-label={words.list}>
      <div className={page.head}>
        <h2 className={page.title} data-testid="chosen">
          <span role="status">{chosen.length > 0 ? words.chosen(chosen.length) : words.list}</span>
        </h2>
        <ChosenActions listed={listed} drawn={drawn} colouring={colouring} />
      </div>
      <ol className={styles.list}>
        {listed.slice(0, shown).map((index) => (
          <li key={index}>
            <button
              type="button"
              className={styles.item}
              data-content
              aria-current={index === active}
              onClick={() => activate(index)}
            >
              <bdi>{texts[index]}</bdi>
            </button>
            <bdi className={page.note}>{nameIn(colouring, index)}</bdi>
          </li>
        ))}
      </ol>
      {rest > 0 && (
        <div className={page.row}>
          <Button onClick={() => setShown(shown + STEP)}>{words.more(rest)}</Button>
        </div>
      )}
    </section>
  );
}

/** Of the group or the value that a text's colour stands for. */
function nameIn({ entries, hues }: Colouring, index: number): string {
  return entries.find(({ hue }) => hue === hues[index])?.name ?? '';
}

function ChosenActions({ listed, drawn, colouring }: ChosenProps & { readonly listed: readonly number[] }) {
  const words = meaningMapWords();
  const { desk } = useRoom();
  const hasChoice = useValueOf(desk, (state) => state.chosen.length > 0);
  const canUndo = useValueOf(desk, (state) => state.replaced !== null);
  const texts = useCollected()?.table.texts ?? [];
  const save = () => {
    const rows = listed.map((index) => [
      texts[index] ?? '',
      nameIn(colouring, index),
      drawn.points[2 * index] ?? 0,
      drawn.points[2 * index + 1] ?? 0,
    ]);
    download('map.csv', new Blob([csvText(Object.values(words.columns), rows)], { type: 'text/csv' }));
  };
  return (
    <div className={page.row}>
      {canUndo && (
        <Button
          look="quiet"
          onClick={() => {
            focusOn(SAVE); // this button goes
            desk.getState().undo();
          }}
        >
          {words.undo}
        </Button>
      )}
      {hasChoice && (
        <>
          <Button look="quiet" onClick={() => desk.getState().choose([])}>
            {words.forget}
          </Button>
          <Button look="quiet" onClick={() => desk.getState().show('matrix')}>
            {listed.length > MOST_COMPARED ? words.compareFirst(MOST_COMPARED) : words.compare}
          </Button>
        </>
      )}
      <Button id={SAVE} look="quiet" onClick={save}>
        {words.saveChosen}
      </Button>
    </div>
  );
}
