import { Fragment, type KeyboardEvent, memo, startTransition, type UIEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type Influence,
  largestCell,
  namesWord,
  rankedIn,
  type ScoreView,
  type Section,
  WEAK_NATS,
} from '../../explanations/influence.ts';
import { resultWords } from '../words.en.ts';
import { fullColour, scaleStyle, signOf, sizeStyle } from '../colours.ts';
import { useSectionLinks } from '../section-links.ts';
import styles from './token-matrix.module.css';
import { numberText, visibleText } from '../../words/language.ts';
import { Button } from '../../parts/buttons.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import panel from '../panel.module.css';
import { activeIn } from '../../explanations/selection-store.ts';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { natsText, sectionName } from '../texts.ts';

interface MatrixProps {
  readonly influence: Influence;
  readonly view: ScoreView;
}

/**
 * The table itself. Of thousands of rows only the visible ones are elements, and each has its index in the whole table, so
 * that a screen reader counts right.
 */
function MatrixTable(
  props: MatrixProps & {
    /** Rows of the prompt's sections, and of the target's own tokens. */
    readonly groups: readonly [readonly Section[], readonly Section[]];
    /** Largest absolute score of a cell, nats. */
    readonly largest: number;
    /** Whether all rows are listed, in a container that scrolls; only the visible ones are drawn. */
    readonly isWhole: boolean;
  },
) {
  const { influence, view, groups, largest, isWhole } = props;
  const [rows, previous] = groups;
  const { range, frame } = useRowWindow();
  const { stop, links } = useMatrixLinks([...rows, ...previous]);
  const columns = influence.targets.length;
  const reachable = [...rows, ...previous].some(({ id }) => id === stop) ? stop : (rows[0]?.id ?? null);
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

/** The keys that move between rows follow the list of rows: the next one may have to be drawn first. */
function useMatrixLinks(all: readonly Section[]) {
  const { stop, reach, links } = useSectionLinks();
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.target instanceof HTMLTableRowElement ? rowAfter(event.key, event.target, all) : undefined;
    if (!next) return links.onKeyDown(event);
    event.preventDefault();
    flushSync(() => reach(next.id));
    event.currentTarget.querySelector<HTMLElement>(`[data-section="${CSS.escape(next.id)}"]`)?.focus();
  };
  return { stop, links: { ...links, onKeyDown } };
}

function rowAfter(key: string, { dataset }: HTMLTableRowElement, all: readonly Section[]): Section | undefined {
  const at = all.findIndex(({ id }) => id === dataset['section']);
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key === 'ArrowDown' || key === 'ArrowRight') return all[at + 1];
  return key === 'ArrowUp' || key === 'ArrowLeft' ? all[at - 1] : undefined;
}

/** The visible rows of a group; an empty row replaces those that are not drawn. */
function MatrixBody(props: {
  readonly title?: string;
  readonly rows: readonly Section[];
  readonly columns: number;
  /** Index of the group's first row in the whole table, from 1. */
  readonly place: number;
  /** Visible rows of this group; null draws all. */
  readonly range: RowRange | null;
  /** The row that the Tab key reaches. */
  readonly reachable: string | null;
}) {
  const { title, rows, columns, place, range, reachable } = props;
  const reached = rows.findIndex(({ id }) => id === reachable);
  const drawn = drawnRows(rows.length, range ?? { first: 0, end: rows.length }, reached);
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
      <Gap rows={skippedAfter(rows.length, drawn)} />
    </tbody>
  );
}

/** As tall as the rows that are not drawn. */
function Gap({ rows }: { readonly rows: number }) {
  return rows > 0 && <tr aria-hidden className={styles.gap} style={{ height: heightOfRows(rows) }} />;
}

/** Height of a row in rem; `token-matrix.module.css` gives it to each row. */
const ROW_REM = 2;
/** Space between two rows, pixels. */
const SPACING = 2;
/** Rows drawn beyond the visible ones, for the arrow keys and short scrolls. */
const BEYOND = 6;
/** Rows drawn before the first scroll: as many as fit the container on most screens. */
const INITIAL_ROWS = 24;

/** Rows from `first` up to, not including, `end`. */
interface RowRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The rows of a list that are drawn, in order, and how many before each are not: those in the range, and one more that
 * must not disappear because it has the focus or is where the Tab key stops.
 *
 * @param count    rows in the list
 * @param reached  index of that row; −1 for none
 */
export function drawnRows(
  count: number,
  { first, end }: RowRange,
  reached: number,
): { index: number; skipped: number }[] {
  const from = Math.max(0, Math.min(first, count));
  const visible = Array.from({ length: Math.max(0, Math.min(end, count) - from) }, (_, i) => from + i);
  const isApart = reached >= 0 && reached < count && !visible.includes(reached);
  const indices = isApart ? [...visible, reached].sort((a, b) => a - b) : visible;
  return indices.map((index, i) => ({ index, skipped: index - (indices[i - 1] ?? -1) - 1 }));
}

/** Rows after the last one that is drawn. */
export function skippedAfter(count: number, drawn: readonly { readonly index: number }[]): number {
  return count - 1 - (drawn.at(-1)?.index ?? -1);
}

/** Height of `count` rows, for the style of the row that replaces them. */
export function heightOfRows(count: number): string {
  return `calc(${count * ROW_REM}rem + ${(count - 1) * SPACING}px)`;
}

/** The visible rows of a container, with some beyond, and the props with which it follows its scrolling and size. */
function useRowWindow() {
  const [range, setRange] = useState<RowRange>({ first: 0, end: INITIAL_ROWS });
  const frame = useMemo(() => {
    const follow = ({ scrollTop, clientHeight }: Element) => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const next = rangeAt(scrollTop, clientHeight, ROW_REM * rem + SPACING);
      setRange((last) => (last.first === next.first && last.end === next.end ? last : next));
    };
    const ref = (element: Element | null) => {
      if (!element) return undefined;
      const observer = new ResizeObserver(() => follow(element));
      observer.observe(element);
      return () => observer.disconnect();
    };
    return { ref, onScroll: ({ currentTarget }: UIEvent<Element>) => follow(currentTarget) };
  }, []);
  return { range, frame };
}

/** The rows to draw. @param pitch  pixels from one row to the next */
export function rangeAt(scrolled: number, height: number, pitch: number): RowRange {
  const first = Math.floor(scrolled / pitch);
  return { first: Math.max(0, first - BEYOND), end: first + Math.ceil(height / pitch) + BEYOND };
}

/** Rows of each group that are listed before `Show all`. */
const FIRST_ROWS = 16;

const ORDERS = ['strength', 'text'] as const;
type Order = (typeof ORDERS)[number];

/** Sections by target words; previous target tokens are context of later ones and are listed below. */
export const TokenMatrix = memo(function TokenMatrix({ influence, view }: MatrixProps) {
  const [order, setOrder] = useState<Order>('strength');
  const [isWhole, setIsWhole] = useState(false);
  const rows = useMemo(() => rowsOf(influence.sections, order, isWhole), [influence, order, isWhole]);
  const previous = useMemo(() => rowsOf(influence.target, 'text', isWhole), [influence, isWhole]);
  const largest = useMemo(() => largestCell(influence), [influence]);
  const words = resultWords().matrix;
  const { sections, target } = influence;
  const count = sections.length + target.length;
  if (sections.length === 0) return null;
  return (
    <div className={panel.block}>
      <div className={panel.blockHead}>
        <h3 className={panel.blockTitle}>
          <Sentence
            text={words.title}
            parts={{ unit: <span className={panel.note}>{words.unit(numberText(fullColour(largest)))}</span> }}
          />
        </h3>
        <Choice
          label={words.order}
          options={ORDERS.map((value) => ({ value, label: words.orders[value] }))}
          value={order}
          onChoose={setOrder}
        />
      </div>
      <MatrixTable influence={influence} view={view} groups={[rows, previous]} largest={largest} isWhole={isWhole} />
      {(isWhole || rows.length + previous.length < count) && (
        <div>
          <Button look="quiet" onClick={() => startTransition(() => setIsWhole(!isWhole))}>
            {isWhole ? words.strongest : words.all(count)}
          </Button>
        </div>
      )}
    </div>
  );
});

/** All rows, or the strongest without those that are next to zero for every word. */
function rowsOf(sections: readonly Section[], order: Order, isWhole: boolean): readonly Section[] {
  const isInformative = (score: number | null) => score !== null && Math.abs(score) > WEAK_NATS;
  const informative = isWhole ? sections : sections.filter(({ scores }) => scores.some(isInformative));
  const strongest = rankedIn(informative, 'whole').slice(0, isWhole ? sections.length : FIRST_ROWS);
  if (order === 'strength') return strongest;
  const listed = new Set(strongest);
  return sections.filter((section) => listed.has(section));
}

/** The target words; hovering previews the explanation of one, pressing selects it. */
function MatrixHead({ influence, view }: MatrixProps) {
  const { selection } = useStores();
  const { choose, hoverView } = selection.getState();
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">{resultWords().matrix.section}</th>
        {[...influence.targets.entries()].map(([index, text]) => (
          <th key={index} scope="col" data-chosen={namesWord(view, index) || undefined}>
            <button
              type="button"
              dir="auto"
              title={text.trim()}
              aria-pressed={namesWord(view, index)}
              onClick={() => choose(selection.getState().view === index ? 'whole' : index)}
              onPointerEnter={() => hoverView(index)}
              onPointerLeave={() => hoverView(null)}
            >
              {visibleText(text)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A section's influence on each target word. Redrawn only when its own scores change. */
const MatrixRow = memo(
  function MatrixRow(props: {
    readonly section: Section;
    /** Its index in the whole table, from 1. */
    readonly place: number;
    /** Whether the Tab key stops here. */
    readonly isReachable: boolean;
  }) {
    const { section, place, isReachable } = props;
    const isActive = useStoreValue('selection', (state) => activeIn(state) === section.id);
    return (
      <tr
        className={styles.row}
        aria-rowindex={place}
        data-section={section.id}
        data-active={isActive || undefined}
        tabIndex={isReachable ? 0 : -1}
      >
        <th scope="row">{sectionName(section, 40)}</th>
        <Cells scores={section.scores} />
      </tr>
    );
  },
  (a, b) => a.isReachable === b.isReachable && a.place === b.place && isSameRow(a.section, b.section),
);

function isSameRow(a: Section, b: Section): boolean {
  if (a === b) return true;
  const isSame = a.scores.length === b.scores.length && a.scores.every((score, column) => score === b.scores[column]);
  return isSame && a.id === b.id && sectionName(a) === sectionName(b);
}

/** Separate from the row, so that cells are not rendered again when the row becomes active. */
const Cells = memo(function Cells({ scores }: { readonly scores: Section['scores'] }) {
  return scores.map(cell);
});

/** Not a component: a window of a large matrix has thousands of them. */
function cell(score: number | null, column: number) {
  if (score === null)
    return (
      <td key={column} className={styles.none}>
        –
      </td>
    );
  return (
    <td key={column} className="influence-fill" data-sign={signOf(score)} data-score={score} style={sizeStyle(score)}>
      {natsText(score)}
    </td>
  );
}
