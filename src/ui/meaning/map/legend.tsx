import type { Colouring } from '../../../state/meaning/map/colouring.ts';
import { meaningMapWords } from '../../../words/en/meaning/map.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { useRoom } from '../use-room.ts';
import { hueStyle } from './palette.ts';
import styles from './map-view.module.css';

/** What the colours stand for; pressing one chooses its texts. */
export function Legend({ colouring: { entries, hues } }: { readonly colouring: Colouring }) {
  const words = meaningMapWords();
  const { desk } = useRoom();
  if (entries.length < 2) return null;
  return (
    <ul className={styles.legend} aria-label={words.legend} data-testid="legend">
      {entries.map(({ hue, name, size }) => {
        const text = name ?? words.other;
        return (
          <li key={hue}>
            <Button
              look="quiet"
              data-content
              aria-label={words.choose(`${text} ${numberText(size)}`)}
              onClick={() => desk.getState().choose([...hues.keys()].filter((index) => hues[index] === hue))}
            >
              <span className={styles.swatch} style={{ background: hueStyle(hue) }} />
              <bdi>{text}</bdi> {numberText(size)}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
