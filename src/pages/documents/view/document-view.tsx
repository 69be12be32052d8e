import { createElement, memo, type ReactNode, type RefObject, useCallback, useEffect, useRef } from 'react';
import { type DocumentAnswer, DOCUMENT_VIEW, type ReadyDocument, readyIn, segmentsOf, sliceOf } from '../answers.ts';
import { documentsWords } from '../words.en.ts';
import { PagesView } from './pages-view.tsx';
import type { Span } from '../../../contract/code-points.ts';
import type { Block } from '../../../files/document.ts';
import { useStoreValue } from '../../../stores/use-stores.ts';
import page from '../documents-page.module.css';
import styles from './document-view.module.css';

/** The document that is shown, with the chosen answer marked and scrolled into view. */
export function DocumentView() {
  const words = documentsWords().view;
  const list = useStoreValue('documents', (state) => state.list);
  const shown = useStoreValue('documents', (state) => state.shown);
  const ready = readyIn(list);
  const source = ready.find(({ id }) => id === shown) ?? ready[0];
  return (
    <section className={styles.panel} id={DOCUMENT_VIEW} data-testid={DOCUMENT_VIEW}>
      {source ? <Shown key={source.id} source={source} /> : <p className={styles.note}>{words.none}</p>}
    </section>
  );
}

function Shown({ source }: { readonly source: ReadyDocument }) {
  const words = documentsWords().view;
  const chosen = useStoreValue('documents', (state) => state.chosen);
  const hasAnswers = useStoreValue('documents', ({ asked }) => asked !== null);
  const answer = chosen?.document === source.id ? chosen : null;
  const frame = useRef<HTMLDivElement>(null);
  const reveal = useReveal(frame);
  const { name, text, layout } = source.document;
  return (
    <>
      <div className={page.head}>
        <h2 className={styles.title}>
          <bdi>{name}</bdi>
        </h2>
        {hasAnswers && (
          <a className={styles.back} href="#answers" onClick={backToAnswers}>
            {words.back}
          </a>
        )}
      </div>
      {/* What scrolls must be reachable by keyboard. */}
      <div ref={frame} className={styles.frame} role="region" aria-label={words.label(name)} tabIndex={0}>
        {layout.type === 'blocks' ? (
          <BlocksView text={text} answer={answer} blocks={layout.blocks} onMarked={reveal} />
        ) : (
          <PagesView layout={layout} answer={answer} file={source.file} onMarked={reveal} />
        )}
      </div>
    </>
  );
}

/** Scrolls without changing the address, which names the page. */
function backToAnswers(event: { preventDefault(): void }): void {
  event.preventDefault();
  const answers = document.getElementById('answers');
  answers?.scrollIntoView();
  answers?.querySelector<HTMLElement>('[data-answer][aria-pressed="true"]')?.focus();
}

type Reveal = (mark: HTMLElement, answer: DocumentAnswer) => void;

/** Scrolls the frame to the mark of an answer, but only once for each answer and width, so that the user can scroll on. */
function useReveal(frame: RefObject<HTMLElement | null>): Reveal {
  const revealed = useRef<Revealed | null>(null);
  return useCallback((mark, answer) => reveal(mark, answer, frame, revealed), [frame]);
}

/** What was scrolled into view last; another width moves all lines. */
interface Revealed {
  readonly answer: DocumentAnswer;
  readonly width: number;
}

function reveal(
  mark: HTMLElement,
  answer: DocumentAnswer,
  { current: frame }: RefObject<HTMLElement | null>,
  revealed: RefObject<Revealed | null>,
): void {
  if (!frame) return;
  const width = frame.clientWidth;
  if (revealed.current?.answer === answer && revealed.current.width === width) return;
  revealed.current = { answer, width };
  centre(mark, frame);
}

/** Scrolls within the frame only. */
function centre(mark: HTMLElement, frame: HTMLElement): void {
  const [inner, outer] = [mark.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  const isHidden = inner.left < outer.left || inner.right > outer.right;
  if (isHidden) frame.scrollLeft += inner.left - outer.left - outer.width / 4;
}

/** A text as headings, paragraphs, lists and tables, with the answer and its sentence marked. */
function BlocksView({
  text,
  blocks,
  answer,
  onMarked,
}: {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly answer: DocumentAnswer | null;
  readonly onMarked: Reveal;
}) {
  const container = useRef<HTMLDivElement>(null);
  // In an effect: the ref of the frame, a parent, is set after the refs of its children.
  useEffect(() => {
    const mark = answer && container.current?.querySelector<HTMLElement>('mark');
    if (mark) onMarked(mark, answer);
  }, [answer, onMarked]);
  return (
    <div ref={container} className={styles.text} dir="auto">
      {groupsOf(blocks).map((group) => (
        <Group
          key={group[0]?.start}
          group={group}
          text={text}
          answer={answer && isMarkedIn(group, answer) ? answer : null}
        />
      ))}
    </div>
  );
}

/** Consecutive list items are one group. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind === 'item' && last?.[0]?.kind === 'item') last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function isMarkedIn(group: readonly Block[], { sentence }: DocumentAnswer): boolean {
  return group.some(({ start, length }) => start < sentence.start + sentence.length && start + length > sentence.start);
}

interface GroupProps {
  readonly group: readonly Block[];
  readonly text: string;
  /** Null if the group contains no part of it, so that choosing another answer renders few groups again. */
  readonly answer: DocumentAnswer | null;
}

const Group = memo(
  function Group({ group, text, answer }: GroupProps) {
    const [block] = group;
    if (!block) return null;
    const inside = (span: Span) => marked(span, text, answer);
    switch (block.kind) {
      case 'item':
        return <ul className={styles.items}>{group.map((item) => listItem(item, inside))}</ul>;
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

function listItem(block: Block, inside: Inside) {
  const { start, level = 0, hasNumber } = block;
  return (
    <li key={start} className={styles.item} style={{ marginInlineStart: `${level * 1.5}rem` }}>
      {!hasNumber && (
        <span className={styles.marker} aria-hidden>
          •
        </span>
      )}
      <span>{inside(block)}</span>
    </li>
  );
}

function Table({ block, inside }: { readonly block: Block; readonly inside: Inside }) {
  const [head, ...rows] = block.rows ?? [];
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={documentsWords().view.table}>
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

function marked(span: Span, text: string, answer: DocumentAnswer | null): ReactNode {
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
