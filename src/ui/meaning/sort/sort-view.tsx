import { useId, useState } from 'react';
import { categoryColumns, type SortState, usedCategories } from '../../../state/meaning/lists/sort-store.ts';
import { meaningListsWords } from '../../../words/en/meaning/lists.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import { ExampleList } from './example-list.tsx';
import { SortedList } from './sorted-list.tsx';
import page from '../meaning-page.module.css';
import beside from '../../parts/fields/beside.module.css';
import styles from './sort-view.module.css';

/** Id of the field for a new category. */
const NEW = 'new-category';

/** Sorts the texts into categories by a few examples of each. */
export function SortView() {
  const words = meaningListsWords().sort;
  const { sort } = useRoom();
  const state = useValueOf(sort, (all) => all);
  return (
    <div className={page.view}>
      <p className={page.note}>{words.about}</p>
      <ColumnChoice />
      <Categories state={state} />
      {state.categories.length > 0 && <ExampleList />}
      <RunRow state={state} />
      {state.problem && (
        <p className={page.wrong} role="alert">
          {meaningWords().failed(state.problem)}
        </p>
      )}
      {state.sorted && state.sorted.given !== state.examples && !state.isRunning && (
        <p className={page.note} role="status" data-testid="sort-stale">
          {words.stale}
        </p>
      )}
      {state.sorted && <SortedList sorted={state.sorted} />}
    </div>
  );
}

function ColumnChoice() {
  const words = meaningListsWords().sort;
  const id = useId();
  const { sort } = useRoom();
  const collected = useCollected();
  const columns = collected ? categoryColumns(collected) : [];
  if (columns.length === 0) return null;
  return (
    <div className={beside.row}>
      <label htmlFor={id}>{words.column}</label>
      <select
        id={id}
        className={page.select}
        value=""
        onChange={(event) => event.target.value !== '' && sort.getState().takeColumn(event.target.value)}
      >
        <option value="">{words.noColumn}</option>
        {columns.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
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
      <div className={beside.row}>
        <label htmlFor={NEW}>{words.category}</label>
        <input
          id={NEW}
          className={page.select}
          value={name}
          placeholder={words.categoryHint}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <Button disabled={name.trim() === ''} onClick={add}>
          {words.add}
        </Button>
        {state.before && (
          <Button
            look="quiet"
            onClick={() => {
              focusOn(NEW); // this button goes
              state.undo();
            }}
          >
            {words.undo}
          </Button>
        )}
      </div>
      {state.categories.length > 0 && (
        <ul className={styles.categories} aria-label={words.categories} data-testid="categories">
          {state.categories.map((category) => (
            <li key={category}>
              <bdi>{category}</bdi>
              <span className={page.note}>{words.examples(countOf(state, category))}</span>
              <Button
                look="quiet"
                aria-label={words.remove(category)}
                onClick={() => {
                  focusOn(NEW); // this button goes
                  state.remove(category);
                }}
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

function countOf({ examples }: SortState, category: string): number {
  return [...examples.values()].filter((own) => own === category).length;
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
      {state.sorted && <Accuracy sorted={state.sorted} />}
    </div>
  );
}

/** How often sorting is right, and how that was measured. */
function Accuracy({ sorted: { measured } }: { readonly sorted: NonNullable<SortState['sorted']> }) {
  const words = meaningListsWords().sort;
  if (!measured) return <p className={page.note}>{words.notMeasured}</p>;
  const { accuracy, mostFrequent, examples, folds } = measured;
  const text =
    folds === examples
      ? words.measuredSingly(percent(accuracy), examples)
      : words.measuredInParts(percent(accuracy), examples, folds);
  return (
    <p role="status" data-testid="accuracy">
      {text} {words.frequent(percent(mostFrequent))}
    </p>
  );
}

function percent(share: number): string {
  return numberText(100 * share, { maximumFractionDigits: 0 });
}
