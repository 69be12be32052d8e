import { useId } from 'react';
import { type Colouring, hueStyle } from './colouring.ts';
import { useMeaning } from '../meaning-stores.ts';
import { meaningMapWords } from '../words.en.ts';
import { Button } from '../../../parts/buttons.tsx';
import { numberText } from '../../../words/language.ts';
import page from '../meaning-page.module.css';
import styles from './map-view.module.css';

/** How many texts have each colour. Pressing a bar chooses its texts, pressing it again clears the choice. */
export function ValueChart({ colouring: { entries, hues } }: { readonly colouring: Colouring }) {
  const words = meaningMapWords();
  const title = useId();
  const column = useMeaning('map', ({ colouring }) => colouring);
  const chosen = useMeaning('selection', (state) => state.chosen);
  const choose = useMeaning('selection', (state) => state.choose);
  if (entries.length < 2) return null;
  const largest = Math.max(...entries.map(({ size }) => size));
  const isChosen = (hue: number, size: number) =>
    chosen.length === size && size > 0 && chosen.every((index) => hues[index] === hue);
  const indicesOf = (hue: number) => [...hues.keys()].filter((index) => hues[index] === hue);
  return (
    <div className={styles.chart}>
      <p id={title} className={page.note}>
        {words.chart(column ?? words.byGroup)}
      </p>
      <ul aria-labelledby={title} data-testid="legend">
        {entries.map(({ hue, name, size }) => {
          const text = name ?? words.other;
          const isPressed = isChosen(hue, size);
          return (
            <li key={hue}>
              <Button
                look="quiet"
                data-content
                aria-label={words.choose(`${text} ${numberText(size)}`)}
                aria-pressed={isPressed}
                disabled={size === 0}
                onClick={() => choose(isPressed ? [] : indicesOf(hue))}
              >
                <span className={styles.value}>
                  <bdi>{text}</bdi> {numberText(size)}
                </span>
                <span
                  className={styles.bar}
                  style={{ background: hueStyle(hue), width: `${(100 * size) / largest}%` }}
                />
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
