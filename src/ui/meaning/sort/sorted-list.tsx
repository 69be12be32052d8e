import { useId, useState } from 'react';
import { csvText } from '../../../files/table/csv.ts';
import type { Sorted } from '../../../state/meaning/lists/sort-store.ts';
import { meaningListsWords } from '../../../words/en/meaning/lists.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import page from '../meaning-page.module.css';
import beside from '../../parts/fields/beside.module.css';
import styles from './sort-view.module.css';

/** Texts that are shown at first, and added with each press. */
const STEP = 20;

/** Every text with its category, the least certain first. */
export function SortedList({ sorted }: { readonly sorted: Sorted }) {
  const words = meaningListsWords().sort;
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [shown, setShown] = useState(STEP);
  const { labels, probabilities, categories } = sorted;
  const label = categories.indexOf(wanted);
  const listed = [...labels.keys()]
    .filter((index) => label < 0 || labels[index] === label)
    .toSorted((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0));
  const rest = Math.min(STEP, listed.length - shown);
  return (
    <section className={styles.results} aria-label={words.results}>
      <div className={page.head}>
        <h2 className={page.title}>{words.results}</h2>
        <span className={beside.row}>
          <label htmlFor={id}>{words.show}</label>
          <select id={id} className={page.select} value={wanted} onChange={(event) => setWanted(event.target.value)}>
            <option value="">{words.all}</option>
            {categories.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <span>{words.unsure}</span>
        </span>
      </div>
      <SortedTable listed={listed.slice(0, shown)} sorted={sorted} />
      <div className={page.row}>
        {rest > 0 && <Button onClick={() => setShown(shown + STEP)}>{words.more(rest)}</Button>}
        <SaveSorted sorted={sorted} />
      </div>
    </section>
  );
}

function SortedTable({ listed, sorted }: { readonly listed: readonly number[]; readonly sorted: Sorted }) {
  const words = meaningListsWords().sort;
  const texts = useCollected()?.table.texts ?? [];
  const examples = useValueOf(useRoom().sort, (state) => state.examples);
  return (
    <table className={styles.table} data-testid="sorted">
      <thead>
        <tr>
          {[words.columns.text, words.columns.category, words.columns.probability].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {listed.map((index) => {
          const [category, given] = [sorted.categories[sorted.labels[index] ?? 0], examples.get(index)];
          return (
            <tr key={index}>
              <th scope="row" dir="auto">
                {texts[index]}
              </th>
              <td>
                <bdi>{category}</bdi>
                {given !== undefined && (
                  <span className={page.note}> {given === category ? words.given : words.differs(given)}</span>
                )}
              </td>
              <td>
                {words.certainty(numberText(100 * (sorted.probabilities[index] ?? 0), { maximumFractionDigits: 0 }))}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function SaveSorted({ sorted }: { readonly sorted: Sorted }) {
  const words = meaningListsWords().sort;
  const collected = useCollected();
  const examples = useValueOf(useRoom().sort, (state) => state.examples);
  const save = () => {
    const rows = [...sorted.labels].map((label, index) => [
      collected?.table.texts[index] ?? '',
      sorted.categories[label] ?? '',
      sorted.probabilities[index] ?? 0,
      examples.get(index) ?? '',
    ]);
    download('sorted.csv', new Blob([csvText(Object.values(words.columns), rows)], { type: 'text/csv' }));
  };
  return (
    <Button look="quiet" onClick={save}>
      {words.save}
    </Button>
  );
}
