import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { numberText } from '../../../words/numbers.ts';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

const SHOWN = 300;

/** The text that is looked at, and those most like it. */
export function Readout() {
  const words = meaningMapWords();
  const { desk, neighbours } = useRoom();
  const active = useValueOf(desk, (state) => state.active);
  const near = useValueOf(neighbours, (state) => state.list);
  const texts = useCollected()?.table.texts ?? [];
  return (
    <div className={styles.readout} data-testid="readout">
      <p className={styles.active} aria-live="polite" dir="auto">
        {active === null ? <span className={page.note}>{words.pointAt}</span> : short(texts[active])}
      </p>
      {near.length > 0 && (
        <>
          <p className={page.note}>{words.nearest}</p>
          <ol className={styles.near}>
            {near.map(({ index, cosine }) => (
              <li key={index} dir="auto">
                <span className={page.note}>
                  {numberText(cosine, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
                </span>{' '}
                {short(texts[index])}
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
