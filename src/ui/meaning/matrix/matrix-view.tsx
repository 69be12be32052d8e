import { useEffect, useId, useState } from 'react';
import { csvText } from '../../../files/table/csv.ts';
import { MOST_COMPARED } from '../../../state/meaning/lists/matrix-store.ts';
import { meaningListsWords } from '../../../words/en/meaning/lists.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import { SaveFigure } from '../save-figure.tsx';
import { MatrixTable } from './matrix-table.tsx';
import page from '../meaning-page.module.css';
import beside from '../../parts/fields/beside.module.css';

type From = 'chosen' | 'found' | 'first';

/** Texts that are compared where nothing was chosen: as many as are read at a glance. */
const FIRST = 20;

/** How alike some texts are, each with each. */
export function MatrixView() {
  const words = meaningListsWords().matrix;
  const { matrix } = useRoom();
  const { indices, cosines, problem } = useValueOf(matrix, (state) => state);
  const collected = useCollected();
  const texts = collected?.table.texts ?? [];
  const own = indices.map((index) => texts[index] ?? '');
  return (
    <div className={page.view}>
      <p className={page.note}>{words.about}</p>
      <FromChoice />
      {problem && (
        <p className={page.wrong} role="alert">
          {meaningWords().failed(problem)}
        </p>
      )}
      {cosines && (
        <>
          <MatrixTable texts={own} cosines={cosines} />
          <div className={page.row}>
            <Button look="quiet" onClick={() => save(own, cosines)}>
              {words.save}
            </Button>
            <SaveFigure
              name="similarity"
              figure={async (typesetter) => {
                const { matrixFigure } = await import('./matrix-figure.ts');
                return matrixFigure({
                  title: words.table,
                  texts: own,
                  cosines,
                  model: collected?.model ?? '',
                  typesetter,
                });
              }}
            />
          </div>
        </>
      )}
    </div>
  );
}

/** Which texts are compared. */
function FromChoice() {
  const words = meaningListsWords().matrix;
  const id = useId();
  const { desk, matrix, search } = useRoom();
  const chosen = useValueOf(desk, (state) => state.chosen);
  const hits = useValueOf(search, (state) => state.found?.hits);
  const count = useCollected()?.count ?? 0;
  const offers: Readonly<Record<From, readonly number[]>> = {
    chosen: chosen.slice(0, MOST_COMPARED),
    found: (hits ?? []).slice(0, FIRST).map(({ index }) => index),
    first: Array.from({ length: Math.min(count, FIRST) }, (_, index) => index),
  };
  const possible = (['chosen', 'found', 'first'] as const).filter((from) => offers[from].length > 1);
  const [wanted, setWanted] = useState<From>('chosen');
  const from = possible.find((one) => one === wanted) ?? possible[0];
  const compared = from && offers[from];
  const key = compared?.join();
  useEffect(() => {
    if (key) void matrix.getState().compare(key.split(',').map(Number));
  }, [matrix, key]);
  return (
    <div className={beside.row}>
      <label htmlFor={id}>{words.label}</label>
      <select
        id={id}
        className={page.select}
        value={from}
        onChange={({ target }) => setWanted(possible.find((one) => one === target.value) ?? 'first')}
      >
        {possible.map((one) => (
          <option key={one} value={one}>
            {words.from[one](offers[one].length)}
          </option>
        ))}
      </select>
    </div>
  );
}

function save(texts: readonly string[], cosines: Float32Array): void {
  const rows = texts.map((text, row) => [text, ...cosines.subarray(row * texts.length, (row + 1) * texts.length)]);
  const names = [meaningListsWords().matrix.text, ...texts];
  download('similarity.csv', new Blob([csvText(names, rows)], { type: 'text/csv' }));
}
