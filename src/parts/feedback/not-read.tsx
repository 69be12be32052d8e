import type { UnreadPart } from '../../contract/qa.ts';
import { countText, listText } from '../../words/language.ts';
import { filesWords } from '../words.en.ts';
import styles from './not-read.module.css';

/** Which parts of a file were not read; nothing for a file that was read in full. */
export function NotRead({ parts }: { readonly parts: readonly UnreadPart[] }) {
  if (parts.length === 0) return null;
  return (
    <span className={styles.note} data-testid="not-read">
      {notReadText(parts)}
    </span>
  );
}

/** @param parts  not empty */
export function notReadText(parts: readonly UnreadPart[]): string {
  const { notRead, unread } = filesWords();
  return notRead(listText(parts.map(({ kind, count }) => countText(count, unread[kind]))));
}
