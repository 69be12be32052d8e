import { type KeyboardEvent, useState } from 'react';
import { meaningListsWords } from '../../../words/en/meaning/lists.ts';
import { numberText } from '../../../words/numbers.ts';
import page from '../meaning-page.module.css';
import styles from './matrix-view.module.css';

/** See `MatrixTable`. */
export interface MatrixTableProps {
  readonly texts: readonly string[];
  /** `[texts, texts]` */
  readonly cosines: Float32Array;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const STEPS: Readonly<Record<string, Cell>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** The matrix as a table whose cells are shaded: the table is the chart. Arrow keys go from cell to cell. */
export function MatrixTable({ texts, cosines }: MatrixTableProps) {
  const words = meaningListsWords().matrix;
  const [at, setAt] = useState<Cell>({ row: 0, column: 0 });
  const inside = (value: number) => Math.min(texts.length - 1, Math.max(0, value));
  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = { row: inside(at.row + step.row), column: inside(at.column + step.column) };
    setAt(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus();
  };
  const value = cosines[inside(at.row) * texts.length + inside(at.column)] ?? 0;
  return (
    <>
      <div className={styles.scroll} tabIndex={-1}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys walk as in a grid */}
        <table className={styles.table} aria-label={words.table} data-testid="matrix" onKeyDown={walk}>
          <thead>
            <tr>
              <td aria-hidden />
              {texts.map((text, column) => (
                // Texts may repeat; their places do not.
                // oxlint-disable-next-line react/no-array-index-key
                <th key={column} scope="col" title={text}>
                  {numberText(column + 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts.map((text, row) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={row}>
                <th scope="row" title={text}>
                  {numberText(row + 1)} <bdi>{text}</bdi>
                </th>
                {texts.map((_, column) => (
                  <MatrixCell
                    // oxlint-disable-next-line react/no-array-index-key
                    key={column}
                    name={`${row} ${column}`}
                    value={cosines[row * texts.length + column] ?? 0}
                    isAt={at.row === row && at.column === column}
                    onAt={() => setAt({ row, column })}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Readout texts={texts} row={inside(at.row)} column={inside(at.column)} value={value} />
    </>
  );
}

interface ReadoutProps extends Cell {
  readonly texts: readonly string[];
  readonly value: number;
}

/** The two texts of a cell, in full. */
function Readout({ texts, row, column, value }: ReadoutProps) {
  const words = meaningListsWords().matrix;
  return (
    <div className={styles.readout} aria-live="polite">
      <p>
        <strong>{words.at(row + 1, column + 1, numberText(value, TWO_DIGITS))}</strong>
      </p>
      <p dir="auto">{texts[row]}</p>
      <p dir="auto">{texts[column]}</p>
      <p className={page.note}>{words.point}</p>
    </div>
  );
}

interface MatrixCellProps {
  readonly name: string;
  readonly value: number;
  readonly isAt: boolean;
  readonly onAt: () => void;
}

function MatrixCell({ name, value, isAt, onAt }: MatrixCellProps) {
  const percent = Math.round(100 * Math.max(0, value));
  return (
    <td
      className={styles.cell}
      data-cell={name}
      data-active={isAt ? '' : undefined}
      tabIndex={isAt ? 0 : -1}
      style={{ background: `color-mix(in oklab, var(--alike) ${percent}%, var(--panel))` }}
      onPointerEnter={onAt}
      onFocus={onAt}
    >
      {percent}
    </td>
  );
}
