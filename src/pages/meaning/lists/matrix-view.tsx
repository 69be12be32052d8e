import { type KeyboardEvent, useEffect, useState } from 'react';
import { MAX_COMPARED } from '../view-stores.ts';
import { useCollected, useMeaning, useMeaningStores } from '../meaning-stores.ts';
import { WorkProblem, Menu, SaveRows } from '../view-parts.tsx';
import { meaningListsWords } from '../words.en.ts';
import { SaveFigure } from '../../../figures/save-figure.tsx';
import { fixedText, numberText } from '../../../words/language.ts';
import page from '../meaning-page.module.css';
import styles from './matrix-view.module.css';
import { byPlace } from '../../../parts/by-place.ts';

/** Number of texts that are compared if none are chosen. */
const FIRST = 20;

/** Similarity of each text with each. */
export function MatrixView() {
  const words = meaningListsWords().matrix;
  const { indices, cosines, problem } = useMeaning('matrix', (state) => state);
  const collected = useCollected();
  const texts = indices.map((index) => collected?.table.texts[index] ?? '');
  return (
    <div className={page.view}>
      <p className={page.note}>{words.about}</p>
      <SourceMenu />
      <WorkProblem problem={problem} />
      {cosines && (
        <>
          <CosineMatrixTable texts={texts} cosines={cosines} />
          <div className={page.row}>
            <SaveRows name="similarity" rows={() => rowsOf(texts, cosines)}>
              {words.save}
            </SaveRows>
            <SaveFigure
              name="similarity"
              figure={async (typesetter) => {
                const { cosineMatrixFigure } = await import('./cosine-matrix-figure.ts');
                const model = collected?.model ?? '';
                return cosineMatrixFigure({ title: words.table, texts, cosines, model, typesetter });
              }}
            />
          </div>
        </>
      )}
    </div>
  );
}

type Source = 'chosen' | 'found' | 'first';

function SourceMenu() {
  const words = meaningListsWords().matrix;
  const { matrix } = useMeaningStores();
  const chosen = useMeaning('selection', (state) => state.chosen);
  const hits = useMeaning('search', (state) => state.found?.hits);
  const { table, count = 0 } = useCollected() ?? {};
  const indicesOf: Readonly<Record<Source, readonly number[]>> = {
    chosen: chosen.slice(0, MAX_COMPARED),
    found: (hits ?? []).slice(0, FIRST).map(({ index }) => index),
    first: Array.from({ length: Math.min(count, FIRST) }, (_, index) => index),
  };
  const possible = (['chosen', 'found', 'first'] as const).filter((source) => indicesOf[source].length > 1);
  const [wanted, setWanted] = useState<string>('chosen');
  const source = possible.find((one) => one === wanted) ?? possible[0];
  const key = source && indicesOf[source].join();
  useEffect(() => {
    if (key && table) void matrix.getState().compare(key.split(',').map(Number));
  }, [matrix, key, table]);
  return (
    <Menu
      label={words.label}
      options={possible.map((one) => [one, words.from[one](indicesOf[one].length)])}
      value={source}
      onChoose={setWanted}
    />
  );
}

function rowsOf(texts: readonly string[], cosines: Float32Array) {
  const rows = texts.map((text, row) => [text, ...cosines.subarray(row * texts.length, (row + 1) * texts.length)]);
  return [[meaningListsWords().matrix.text, ...texts], ...rows];
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

const STEPS: Readonly<Record<string, Cell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** The matrix as a table with shaded cells; arrow keys move between cells. `cosines`: `[texts, texts]`. */
function CosineMatrixTable({ texts, cosines }: { readonly texts: readonly string[]; readonly cosines: Float32Array }) {
  const words = meaningListsWords().matrix;
  const [wanted, setActive] = useState<Cell>({ row: 0, column: 0 });
  const inside = (value: number) => Math.min(texts.length - 1, Math.max(0, value));
  const active = { row: inside(wanted.row), column: inside(wanted.column) }; // the texts may be fewer than before
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = { row: inside(active.row + step.row), column: inside(active.column + step.column) };
    setActive(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus();
  };
  return (
    <>
      <div className={styles.scroll} tabIndex={-1}>
        {/* One cell has the focus; its arrow keys are read here. The role hides nothing: a `div` has no meaning of its own. */}
        <div role="presentation" onKeyDown={move}>
          <table className={styles.table} aria-label={words.table} data-testid="matrix">
            <thead>
              <tr>
                <td aria-hidden />
                {byPlace(texts, (text, column) => (
                  <th scope="col" title={text}>
                    {numberText(column + 1)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {byPlace(texts, (text, row) => (
                <tr>
                  <th scope="row" title={text}>
                    {numberText(row + 1)} <bdi>{text}</bdi>
                  </th>
                  {byPlace(texts, (_, column) => (
                    <MatrixCell
                      name={`${row} ${column}`}
                      value={cosines[row * texts.length + column] ?? 0}
                      isActive={active.row === row && active.column === column}
                      onActive={() => setActive({ row, column })}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <Readout texts={texts} row={active.row} column={active.column} cosines={cosines} />
    </>
  );
}

/** The two texts of a cell, in full. */
function Readout({
  texts,
  cosines,
  row,
  column,
}: Cell & { readonly texts: readonly string[]; readonly cosines: Float32Array }) {
  const words = meaningListsWords().matrix;
  const value = cosines[row * texts.length + column] ?? 0;
  return (
    <div className={styles.readout} aria-live="polite">
      <p>
        <strong>{words.at(row + 1, column + 1, fixedText(value, 2))}</strong>
      </p>
      <p dir="auto">{texts[row]}</p>
      <p dir="auto">{texts[column]}</p>
      <p className={page.note}>{words.point}</p>
    </div>
  );
}

function MatrixCell({
  name,
  value,
  isActive,
  onActive,
}: {
  readonly name: string;
  readonly value: number;
  readonly isActive: boolean;
  readonly onActive: () => void;
}) {
  const percent = Math.round(100 * Math.max(0, value));
  return (
    <td
      className={styles.cell}
      data-cell={name}
      data-active={isActive ? '' : undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ background: `color-mix(in oklab, var(--alike) ${percent}%, var(--panel))` }}
      onPointerEnter={onActive}
      onFocus={onActive}
    >
      {percent}
    </td>
  );
}
