import { useState } from 'react';
import { meaningListsWords } from '../../../words/en/meaning/lists.ts';
import { Button } from '../../parts/buttons.tsx';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import page from '../meaning-page.module.css';
import styles from './sort-view.module.css';

/** Texts that are shown at first, and added with each press. */
const STEP = 10;

/** Texts to make examples of: those that were chosen on the map first, then hits of the search, then the others. */
export function ExampleList() {
  const words = meaningListsWords().sort;
  const { desk, search, sort } = useRoom();
  const chosen = useValueOf(desk, (state) => state.chosen);
  const hits = useValueOf(search, (state) => state.found?.hits);
  const { categories, examples, give } = useValueOf(sort, (state) => state);
  const collected = useCollected();
  const [shown, setShown] = useState(STEP);
  if (!collected) return null;
  const every = Array.from({ length: collected.count }, (_, index) => index);
  const order = [...new Set([...chosen, ...(hits ?? []).map(({ index }) => index), ...every])];
  const rest = Math.min(STEP, order.length - shown);
  return (
    <details className={styles.examples} open>
      <summary>{words.list}</summary>
      <ul className={styles.list}>
        {order.slice(0, shown).map((index) => {
          const text = collected.table.texts[index] ?? '';
          return (
            <li key={index}>
              <bdi className={styles.text}>{text}</bdi>
              <select
                className={page.select}
                aria-label={words.of(text)}
                value={examples.get(index) ?? ''}
                onChange={(event) => give(index, event.target.value === '' ? null : event.target.value)}
              >
                <option value="">{words.none}</option>
                {categories.map((category) => (
                  <option key={category}>{category}</option>
                ))}
              </select>
            </li>
          );
        })}
      </ul>
      {rest > 0 && <Button onClick={() => setShown(shown + STEP)}>{words.more(rest)}</Button>}
    </details>
  );
}
