import { fixedText } from '../../words/language.ts';
import type { CSSProperties, ReactNode } from 'react';
import { Button, saveFile } from '../../parts/buttons.tsx';
import type { TableRow } from '../../parts/layout/wide-table.tsx';
import { Terms } from '../../parts/live/terms.tsx';
import styles from './inside-page.module.css';

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

/** A cell with a cosine similarity, shaded by its share of the range from `low` to 1. */
export function cosineCell(value: number, low: number): TableRow['cells'][number] {
  return { text: fixedText(value, 2), className: styles.cell, style: shareStyle(value, low) };
}

/** Style of a cell: its value's share of the range from `low` to 1. */
function shareStyle(value: number, low: number): CSSProperties & { '--share': string } {
  const share = low >= 1 ? 1 : (value - low) / (1 - low);
  return { '--share': Math.min(1, Math.max(0, share)).toFixed(3) };
}
