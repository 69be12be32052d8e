import { useState } from 'react';
import { categoryColumns, type SortState, usedCategories } from '../view-stores.ts';
import { useCollected, useMeaning } from '../meaning-stores.ts';
import { Menu, SaveRows, useFirst, wholePercent, WorkProblem } from '../view-parts.tsx';
import { meaningListsWords } from '../words.en.ts';
import { Button, keyOf } from '../../../parts/buttons.tsx';
import field from '../../../parts/fields/field-layout.module.css';
import { TableHead } from '../../../parts/layout/blocks.tsx';
import page from '../meaning-page.module.css';
import styles from './sort-view.module.css';

const NEW = 'new-category';

/** Sorts the texts into categories by a few examples of each. */
export function SortView() {
  const words = meaningListsWords().sort;
  const state = useMeaning('sort', (all) => all);
  const { sorted } = state;
  return (
    <div className={page.view}>
      <p className={page.note}>{words.about}</p>
      <ColumnMenu {...state} />
      <Categories state={state} />
      {state.categories.length > 0 && <ExampleList {...state} />}
      <RunRow state={state} />
      <WorkProblem problem={state.problem} />
      {sorted && sorted.examples !== state.examples && !state.isRunning && (
        <p className={page.note} role="status" data-testid="sort-stale">
          {words.stale}
        </p>
      )}
      {sorted && <SortedList sorted={sorted} examples={state.examples} />}
    </div>
  );
}

function ColumnMenu({ takeColumn }: SortState) {
  const words = meaningListsWords().sort;
  const collected = useCollected();
  const columns = collected ? categoryColumns(collected) : [];
  if (columns.length === 0) return null;
  return (
    <Menu
      label={words.column}
      options={[['', words.noColumn], ...columns.map((name) => [name, name] as const)]}
      value=""
      onChoose={(name) => name !== '' && takeColumn(name)}
    />
  );
}

function Categories({ state }: { readonly state: SortState }) {
  const words = meaningListsWords().sort;
  const [name, setName] = useState('');
  const add = () => {
    state.add(name.trim());
    setName('');
  };
  return (
    <>
      <div className={field.row}>
        <label htmlFor={NEW}>{words.category}</label>
        <input
          id={NEW}
          className={page.select}
          value={name}
          placeholder={words.categoryHint}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => keyOf(event) === 'Enter' && add()}
        />
        <Button disabled={name.trim() === ''} onClick={add}>
          {words.add}
        </Button>
        {state.before && (
          <Button look="quiet" focus={NEW} onClick={() => state.undo()}>
            {words.undo}
          </Button>
        )}
      </div>
      {state.categories.length > 0 && (
        <ul className={styles.categories} aria-label={words.categories} data-testid="categories">
          {state.categories.map((category) => (
            <li key={category}>
              <bdi>{category}</bdi>
              <span className={page.note}>
                {words.examples([...state.examples.values()].filter((other) => other === category).length)}
              </span>
              <Button
                look="quiet"
                focus={NEW}
                aria-label={words.remove(category)}
                onClick={() => state.remove(category)}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function RunRow({ state }: { readonly state: SortState }) {
  const words = meaningListsWords().sort;
  const isReady = usedCategories(state).length >= 2;
  return (
    <div className={styles.run}>
      <Button
        look="primary"
        data-testid="sort"
        disabled={!isReady || state.isRunning}
        onClick={() => void state.sort()}
      >
        {state.isRunning ? words.running : words.run}
      </Button>
      {!isReady && <p className={page.note}>{words.needs}</p>}
      {state.sorted && <Accuracy {...state.sorted} />}
    </div>
  );
}

type Sorted = NonNullable<SortState['sorted']>;

function Accuracy({ measured }: Sorted) {
  const words = meaningListsWords().sort;
  if (!measured) return <p className={page.note}>{words.notMeasured}</p>;
  const { accuracy, mostFrequent, examples, folds } = measured;
  const text =
    folds === examples
      ? words.measuredSingly(wholePercent(accuracy), examples)
      : words.measuredInParts(wholePercent(accuracy), examples, folds);
  return (
    <p role="status" data-testid="accuracy">
      {text} {words.frequent(wholePercent(mostFrequent))}
    </p>
  );
}

/** Texts that are shown at first and added with each press, of those to choose examples from and of those that were sorted. */
const [STEP, SORTED_STEP] = [10, 20];

/** Texts to choose examples from: first those chosen on the map, then the hits of the search, then the others. */
function ExampleList({ categories, examples, assign }: SortState) {
  const words = meaningListsWords().sort;
  const chosen = useMeaning('selection', (state) => state.chosen);
  const hits = useMeaning('search', (state) => state.found?.hits) ?? [];
  const { count, table } = useCollected() ?? { count: 0, table: { texts: [] } };
  const order = new Set([...chosen, ...hits.map(({ index }) => index), ...Array(count).keys()]);
  const [first, more] = useFirst([...order], STEP, words.more);
  return (
    <details className={styles.examples} open>
      <summary>{words.list}</summary>
      <ul className={styles.list}>
        {first.map((index) => {
          const text = table.texts[index] ?? '';
          return (
            <li key={index}>
              <bdi className={styles.text}>{text}</bdi>
              <select
                className={page.select}
                aria-label={words.of(text)}
                value={examples.get(index) ?? ''}
                onChange={(event) => assign(index, event.target.value === '' ? null : event.target.value)}
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
      {more}
    </details>
  );
}

interface SortedProps {
  readonly sorted: Sorted;
  /** The current examples; those of `sorted` may be older. */
  readonly examples: SortState['examples'];
}

/** Every text with its category, the least certain first. */
function SortedList({ sorted, examples }: SortedProps) {
  const words = meaningListsWords().sort;
  const texts = useCollected()?.table.texts ?? [];
  const [wanted, setWanted] = useState('');
  const { labels, probabilities, categories } = sorted;
  const label = categories.indexOf(wanted);
  const listed = [...labels.keys()]
    .filter((index) => label < 0 || labels[index] === label)
    .toSorted((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0));
  const [first, more] = useFirst(listed, SORTED_STEP, words.more);
  const rows = () =>
    [...labels].map((category, index) => [
      texts[index] ?? '',
      categories[category] ?? '',
      probabilities[index] ?? 0,
      examples.get(index) ?? '',
    ]);
  return (
    <section className={styles.results} aria-label={words.results}>
      <div className={page.head}>
        <h2 className={page.title}>{words.results}</h2>
        <Menu
          label={words.show}
          options={[['', words.all], ...categories.map((name) => [name, name] as const)]}
          value={wanted}
          onChoose={setWanted}
        >
          <span>{words.unsure}</span>
        </Menu>
      </div>
      <SortedTable listed={first} texts={texts} sorted={sorted} examples={examples} />
      <div className={page.row}>
        {more}
        <SaveRows name="sorted" rows={() => [Object.values(words.columns), ...rows()]}>
          {words.save}
        </SaveRows>
      </div>
    </section>
  );
}

function SortedTable({
  listed,
  texts,
  sorted,
  examples,
}: SortedProps & { readonly listed: readonly number[]; readonly texts: readonly string[] }) {
  const words = meaningListsWords().sort;
  return (
    <table className={styles.table} data-testid="sorted">
      <TableHead names={[words.columns.text, words.columns.category, words.columns.probability]} />
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
              <td>{words.certainty(wholePercent(sorted.probabilities[index] ?? 0))}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
