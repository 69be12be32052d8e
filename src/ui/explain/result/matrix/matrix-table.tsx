import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Influence, Section, View } from '../../../../state/explain/influence.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { scaleStyle } from '../heat/colour-scale.ts';
import { useSectionLinks } from '../section-links.ts';
import { MatrixBody } from './matrix-body.tsx';
import { MatrixHead } from './matrix-rows.tsx';
import { useRowWindow } from './row-window.ts';
import styles from './token-matrix.module.css';

/** See `TokenMatrix`. */
export interface MatrixTableProps {
  readonly influence: Influence;
  readonly view: View;
  readonly rows: readonly Section[];
  /** Rows of the target's own tokens. */
  readonly previous: readonly Section[];
  /** Largest absolute score of a cell, nats. */
  readonly largest: number;
  /** All rows are there, in a container that scrolls; only those in sight are drawn. */
  readonly isWhole: boolean;
}

/**
 * The table itself. Of thousands of rows only those in sight are elements, and each says its place in the whole table, so
 * that a screen reader counts right.
 */
export function MatrixTable({ influence, view, rows, previous, largest, isWhole }: MatrixTableProps) {
  const { range, frame } = useRowWindow();
  const { stop, links } = useMatrixLinks([...rows, ...previous]);
  const columns = influence.targets.length;
  const reachable = has(rows, stop) || has(previous, stop) ? stop : (rows[0]?.id ?? null);
  const within = (first: number) => (isWhole ? { first: range.first - first, end: range.end - first } : null);
  const words = resultWords().matrix;
  const group = { columns, reachable };
  return (
    <div className={isWhole ? `${styles.scroll} ${styles.tall}` : styles.scroll} {...frame}>
      <table
        className={styles.matrix}
        data-testid="matrix"
        aria-rowcount={1 + rows.length + (previous.length > 0 ? 1 + previous.length : 0)}
        style={scaleStyle(largest, columns)}
        {...links}
      >
        <caption className="visually-hidden">{words.caption}</caption>
        <MatrixHead influence={influence} view={view} />
        <MatrixBody rows={rows} place={2} range={within(0)} {...group} />
        {previous.length > 0 && (
          <MatrixBody
            title={words.previous}
            rows={previous}
            place={2 + rows.length}
            range={within(rows.length + 1)}
            {...group}
          />
        )}
      </table>
    </div>
  );
}

function has(rows: readonly Section[], id: string | null): boolean {
  return id !== null && rows.some((row) => row.id === id);
}

/** The keys that move between rows go by the rows themselves: the next one may have to be drawn first. */
function useMatrixLinks(all: readonly Section[]) {
  const { stop, reach, links } = useSectionLinks();
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.target instanceof HTMLTableRowElement ? rowBehind(event.key, event.target, all) : undefined;
    if (!next) return links.onKeyDown(event);
    event.preventDefault();
    flushSync(() => reach(next.id));
    event.currentTarget.querySelector<HTMLElement>(`[data-section="${CSS.escape(next.id)}"]`)?.focus();
  };
  return { stop, links: { ...links, onKeyDown } };
}

function rowBehind(key: string, { dataset }: HTMLTableRowElement, all: readonly Section[]): Section | undefined {
  const at = all.findIndex(({ id }) => id === dataset['section']);
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return all[at + 1];
    case 'ArrowUp':
    case 'ArrowLeft':
      return all[at - 1];
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    default:
      return undefined;
  }
}
