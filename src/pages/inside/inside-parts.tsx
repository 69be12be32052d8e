import { cosineText } from '../../parts/similarity/similarity.ts';
import type { CSSProperties, ReactNode } from 'react';
import { Button, saveFile } from '../../parts/buttons.tsx';
import wide from '../../parts/layout/table.module.css';
import { Terms } from '../../parts/live/terms.tsx';
import styles from './inside-page.module.css';
import { byPlace } from '../../parts/by-place.ts';

/** A section of the page: its title, what it shows, where that comes from, and what is asked and found. */
export function InsideSection(props: {
  readonly words: { readonly title: string; readonly text: string; readonly source?: string };
  readonly children: ReactNode;
}) {
  const { title, text, source } = props.words;
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>
        <Terms text={text} />
      </p>
      {source && <p className={styles.source}>{source}</p>}
      {props.children}
    </section>
  );
}

/** Saves the numbers of a table as a file with this name. */
export function SaveCsv({ name, label, csv }: { readonly name: string; readonly label: string; csv(): string }) {
  return (
    <div>
      <Button onClick={() => saveFile(name, new Blob([csv()], { type: 'text/csv' }))}>{label}</Button>
    </div>
  );
}

interface WideTableProps {
  readonly label: string;
  /** Left out: the label. */
  readonly caption?: string;
  readonly testId: string;
  readonly className?: string | undefined;
  /** Names of the columns; null leaves the corner over the row names empty. */
  readonly head: readonly (ReactNode | null)[];
  readonly rows: readonly TableRow[];
}

interface TableRow {
  readonly name: ReactNode;
  readonly nameClass?: string | undefined;
  readonly cells: readonly {
    readonly text: ReactNode;
    readonly style?: CSSProperties;
    readonly className?: string | undefined;
  }[];
}

/** A table that scrolls where it is wider than the page. */
export function WideTable({ label, caption = label, testId, className = '', head, rows }: WideTableProps) {
  return (
    <div className={wide.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={`${wide.table} ${wide.numbers} ${className}`} data-testid={testId}>
        <caption>{caption}</caption>
        <thead>
          <tr>{byPlace(head, (name) => (name === null ? <td aria-hidden /> : <th scope="col">{name}</th>))}</tr>
        </thead>
        <tbody>
          {byPlace(rows, ({ name, nameClass, cells }) => (
            <tr>
              <th scope="row" className={nameClass}>
                {name}
              </th>
              {byPlace(cells, ({ text, style, className: look }) => (
                <td className={look} style={style}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A cell with a cosine similarity, shaded by its share of the range from `low` to 1. */
export function cosineCell(value: number, low: number): TableRow['cells'][number] {
  return { text: cosineText(value), className: styles.cell, style: shareStyle(value, low) };
}

/** Style of a cell: its value's share of the range from `low` to 1. */
function shareStyle(value: number, low: number): CSSProperties & { '--share': string } {
  const share = low >= 1 ? 1 : (value - low) / (1 - low);
  return { '--share': Math.min(1, Math.max(0, share)).toFixed(3) };
}
