import { createElement, memo, type ReactNode, useEffect, useRef } from 'react';
import type { Span } from '../../../contract/code-points.ts';
import type { Block } from '../../../files/document.ts';
import { type Answer, sliceOf } from '../../../state/documents/answers.ts';
import { segmentsOf } from '../../../state/documents/marks.ts';
import type { Reveal } from './use-reveal.ts';
import styles from './blocks-view.module.css';

/** See `BlocksView`. */
export interface BlocksViewProps {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly answer: Answer | null;
  readonly onMarked: Reveal;
}

/** A text as headings, paragraphs, lists and tables, with the answer and its sentence marked. */
export function BlocksView({ text, blocks, answer, onMarked }: BlocksViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  // After the layout: what scrolls is a parent, whose element is not held before.
  useEffect(() => {
    const mark = answer && frame.current?.querySelector<HTMLElement>('mark');
    if (mark) onMarked(mark, answer);
  }, [answer, onMarked]);
  return (
    <div ref={frame} className={styles.text} dir="auto">
      {groupsOf(blocks).map((group) => (
        <Group
          key={group[0]?.start}
          {...{ group, text }}
          answer={answer && isMarkedIn(group, answer) ? answer : null}
        />
      ))}
    </div>
  );
}

/** Entries of a list that follow each other are one list. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind === 'item' && last?.[0]?.kind === 'item') last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function isMarkedIn(group: readonly Block[], { sentence }: Answer): boolean {
  return group.some(({ start, length }) => start < sentence.start + sentence.length && start + length > sentence.start);
}

interface GroupProps {
  readonly group: readonly Block[];
  readonly text: string;
  /** null where none of it is in the group, so that choosing another answer draws few groups again. */
  readonly answer: Answer | null;
}

const Group = memo(
  function Group({ group, text, answer }: GroupProps) {
    const [block] = group;
    if (!block) return null;
    const inside = (span: Span) => marked(span, text, answer);
    switch (block.kind) {
      case 'item':
        return <ul className={styles.items}>{group.map((item) => entry(item, inside))}</ul>;
      case 'heading':
        return createElement(`h${Math.min(6, (block.level ?? 1) + 2)}`, { className: styles.heading }, inside(block));
      case 'table':
        return <Table block={block} inside={inside} />;
      case 'code':
        return <pre className={styles.code}>{inside(block)}</pre>;
      case 'quote':
        return <blockquote className={styles.quote}>{inside(block)}</blockquote>;
      case 'paragraph':
        return <p className={styles.paragraph}>{inside(block)}</p>;
    }
  },
  (before, after) => before.text === after.text && before.answer === after.answer && before.group[0] === after.group[0],
);

type Inside = (span: Span) => ReactNode;

function entry(block: Block, inside: Inside) {
  const { start, level = 0, ordinal } = block;
  return (
    <li key={start} className={styles.item} style={{ marginInlineStart: `${level * 1.5}rem` }}>
      <span className={styles.marker} aria-hidden={ordinal === undefined}>
        {ordinal === undefined ? '•' : `${ordinal}.`}
      </span>
      <span>{inside(block)}</span>
    </li>
  );
}

function Table({ block, inside }: { readonly block: Block; readonly inside: Inside }) {
  const [head, ...rows] = block.rows ?? [];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
    <div className={styles.scroll} tabIndex={0}>
      <table className={styles.table}>
        {head && (
          <thead>
            <tr>
              {head.map((cell) => (
                <th key={cell.start} scope="col">
                  {inside(cell)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]?.start}>
              {row.map((cell) => (
                <td key={cell.start}>{inside(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function marked(span: Span, text: string, answer: Answer | null): ReactNode {
  return segmentsOf(span, answer).map((segment) =>
    segment.kind ? (
      <mark key={segment.start} data-kind={segment.kind}>
        {sliceOf(text, segment)}
      </mark>
    ) : (
      sliceOf(text, segment)
    ),
  );
}
