import type { CSSProperties, ReactNode } from 'react';
import { byPlace } from '../by-place.ts';
import wide from './table.module.css';

interface TableCell {
  readonly text: ReactNode;
  readonly style?: CSSProperties;
  readonly className?: string | undefined;
}

/** A row of a table. */
export interface TableRow {
  readonly name: ReactNode;
  readonly nameClass?: string | undefined;
  readonly cells: readonly (string | TableCell)[];
}

/** A table whose rows have names. It scrolls where it is wider than its place, so it takes the focus: else the keyboard could not scroll it. */
export function WideTable(props: {
  readonly label: string;
  /** Left out: the label. Null: none, where the label stands above the table already. */
  readonly caption?: string | null;
  readonly testId?: string;
  /** Left out: numbers below each other, none of them broken. */
  readonly className?: string | undefined;
  /** Of the element around the table. Left out: one that scrolls sideways. */
  readonly frameClass?: string | undefined;
  /** Names of the columns; null leaves the corner over the row names empty. */
  readonly head: readonly ReactNode[];
  readonly rows: readonly TableRow[];
}) {
  const { label, caption = label, testId, head, rows } = props;
  const { className = `${wide.table} ${wide.numbers}`, frameClass = wide.scroll } = props;
  return (
    <div className={frameClass} tabIndex={0} role="region" aria-label={label}>
      <table className={className} data-testid={testId}>
        {caption !== null && <caption>{caption}</caption>}
        <thead>
          <tr>{byPlace(head, (name) => (name === null ? <td aria-hidden /> : <th scope="col">{name}</th>))}</tr>
        </thead>
        <tbody>
          {byPlace(rows, ({ name, nameClass, cells }) => (
            <tr>
              <th scope="row" className={nameClass}>
                {name}
              </th>
              {byPlace(cells, (cell) => {
                const { text, style, className: look } = typeof cell === 'string' ? { text: cell } : cell;
                return (
                  <td className={look} style={style}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
