import { learnWords } from '../../../words/en/learn.ts';
import styles from './live.module.css';

/** What to notice in an answer: sentences that follow from its numbers. */
export function Notice({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <section className={styles.notice} data-testid="notice">
      <h3 className={styles.noticeTitle}>{learnWords().live.notice}</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
