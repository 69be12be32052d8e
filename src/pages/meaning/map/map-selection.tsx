import type { Colouring } from './colouring.ts';
import { MAX_COMPARED } from '../lists/list-stores.ts';
import { useCollected, useMeaning, useMeaningStores } from '../meaning-stores.ts';
import { DisappearingButton, SaveRows, twoDigits, useFirst } from '../view-parts.tsx';
import { meaningMapWords } from '../words.en.ts';
import { Button } from '../../../parts/buttons.tsx';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

/** Characters of a text that are shown. */
const SHOWN = 300;

/** The active text, and the most similar ones. */
export function Readout() {
  const words = meaningMapWords();
  const active = useMeaning('selection', (state) => state.active);
  const neighbours = useMeaning('neighbours', (state) => state.list);
  const texts = useCollected()?.table.texts ?? [];
  return (
    <div className={styles.readout} data-testid="readout">
      <p className={styles.active} aria-live="polite" dir="auto">
        {active === null ? <span className={page.note}>{words.pointAt}</span> : short(texts[active])}
      </p>
      {neighbours.length > 0 && (
        <>
          <p className={page.note}>{words.nearest}</p>
          <ol className={styles.near}>
            {neighbours.map(({ index, cosine }) => (
              <li key={index} dir="auto">
                <span className={page.note}>{twoDigits(cosine)}</span> {short(texts[index])}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function short(text = ''): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text;
}

interface MapSelectionProps {
  /** `[texts, 2]` */
  readonly points: Float32Array;
  readonly colouring: Colouring;
}

/** Id of the button that saves the list, which never disappears. */
const SAVE = 'save-chosen';

/** Texts that are shown at first, and added with each press. */
const STEP = 20;

/** The chosen texts as a list; all texts if none are chosen. */
export function MapSelection({ points, colouring }: MapSelectionProps) {
  const words = meaningMapWords();
  const { chosen, active, activate } = useMeaning('selection', (state) => state);
  const texts = useCollected()?.table.texts ?? [];
  const listed = chosen.length > 0 ? chosen : [...Array(points.length / 2).keys()];
  const [first, more] = useFirst(listed, STEP, words.more);
  return (
    <section className={styles.chosen} aria-label={words.list}>
      <div className={page.head}>
        <h2 className={page.title} data-testid="chosen">
          <span role="status">{chosen.length > 0 ? words.chosen(chosen.length) : words.list}</span>
        </h2>
        <SelectionActions listed={listed} points={points} colouring={colouring} />
      </div>
      <ol className={styles.list}>
        {first.map((index) => (
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
      {more && <div className={page.row}>{more}</div>}
    </section>
  );
}

/** Name of the group or the value of a text's colour. */
function nameIn({ entries, hues }: Colouring, index: number): string {
  return entries.find(({ hue }) => hue === hues[index])?.name ?? '';
}

function SelectionActions({ listed, points, colouring }: MapSelectionProps & { readonly listed: readonly number[] }) {
  const words = meaningMapWords();
  const { selection } = useMeaningStores();
  const hasChoice = useMeaning('selection', (state) => state.chosen.length > 0);
  const canUndo = useMeaning('selection', (state) => state.replaced !== null);
  const texts = useCollected()?.table.texts ?? [];
  const rows = () =>
    listed.map((index) => [
      texts[index] ?? '',
      nameIn(colouring, index),
      points[2 * index] ?? 0,
      points[2 * index + 1] ?? 0,
    ]);
  return (
    <div className={page.row}>
      {canUndo && (
        <DisappearingButton focus={SAVE} onPress={() => selection.getState().undo()}>
          {words.undo}
        </DisappearingButton>
      )}
      {hasChoice && (
        <>
          <Button look="quiet" onClick={() => selection.getState().choose([])}>
            {words.forget}
          </Button>
          <Button look="quiet" onClick={() => selection.getState().show('matrix')}>
            {listed.length > MAX_COMPARED ? words.compareFirst(MAX_COMPARED) : words.compare}
          </Button>
        </>
      )}
      <SaveRows id={SAVE} name="map" rows={() => [Object.values(words.columns), ...rows()]}>
        {words.saveChosen}
      </SaveRows>
    </div>
  );
}
