import type { UnreadFilePart, UnreadPart } from '../../contract/qa.ts';
import { countText, listText } from '../../words/language.ts';
import { filesWords } from './words.en.ts';
import styles from './not-read.module.css';

/** Which parts of a file were not read; nothing for a file that was read in full. */
export function NotRead({ parts }: { readonly parts: readonly UnreadFilePart[] }) {
  if (parts.length === 0) return null;
  return (
    <span className={styles.note} data-testid="not-read">
      {notReadText(parts)}
    </span>
  );
}

/** These were read, but perhaps otherwise than they were meant. */
const DOUBTFUL = new Set<UnreadPart['kind']>(['character', 'unclosed_quote', 'uneven_row', 'struck_text']);

/** What was not read, and what should be checked. @param parts  not empty */
export function notReadText(parts: readonly UnreadFilePart[]): string {
  const { notRead, check, unread, readAs } = filesWords();
  const textOf = (some: readonly UnreadFilePart[]) =>
    listText(
      some.map(({ kind, count, encoding }) =>
        encoding === undefined ? countText(count, unread[kind]) : readAs(count, encoding),
      ),
    );
  const doubtful = parts.filter(({ kind }) => DOUBTFUL.has(kind));
  const others = parts.filter(({ kind }) => !DOUBTFUL.has(kind));
  return [others.length > 0 ? notRead(textOf(others)) : '', doubtful.length > 0 ? check(textOf(doubtful)) : '']
    .join(' ')
    .trim();
}
