import { Fragment } from 'react';
import type { Section } from '../../../../state/explain/influence.ts';
import { MatrixRow } from './matrix-rows.tsx';
import { drawnRows, heightOfRows, skippedBehind, type RowRange } from './row-window.ts';
import styles from './token-matrix.module.css';

/** A group of rows. */
export interface MatrixBodyProps {
  readonly title?: string;
  readonly rows: readonly Section[];
  readonly columns: number;
  /** Place of the group's first row in the whole table, from 1 on. */
  readonly place: number;
  /** Rows of this group that are in sight; null draws all. */
  readonly range: RowRange | null;
  /** The row that the Tab key reaches. */
  readonly reachable: string | null;
}

/** The rows of a group that are in sight; an empty row as tall as the others stands for those that are not. */
export function MatrixBody({ title, rows, columns, place, range, reachable }: MatrixBodyProps) {
  const kept = rows.findIndex(({ id }) => id === reachable);
  const drawn = drawnRows(rows.length, range ?? { first: 0, end: rows.length }, kept);
  const first = place + (title ? 1 : 0);
  return (
    <tbody>
      {title && (
        <tr className={styles.groupTitle} aria-rowindex={place}>
          <th scope="rowgroup" colSpan={columns + 1}>
            {title}
          </th>
        </tr>
      )}
      {drawn.map(({ index, skipped }) => {
        const section = rows[index];
        return (
          section && (
            <Fragment key={section.id}>
              <Gap rows={skipped} />
              <MatrixRow section={section} place={first + index} isReachable={section.id === reachable} />
            </Fragment>
          )
        );
      })}
      <Gap rows={skippedBehind(rows.length, drawn)} />
    </tbody>
  );
}

/** Stands for rows that are not drawn. */
function Gap({ rows }: { readonly rows: number }) {
  return rows > 0 && <tr aria-hidden className={styles.gap} style={{ height: heightOfRows(rows) }} />;
}
