import type { ReactNode } from 'react';
import styles from './page-layout.module.css';

/** The frame of every page: its heading, its purpose, its content. */
export function PageLayout(props: {
  readonly title: string;
  /** One sentence: what the page is for. */
  readonly claim: string;
  readonly children: ReactNode;
}) {
  const { title, claim, children } = props;
  return (
    <main>
      <div className={styles.intro}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.claim}>{claim}</p>
      </div>
      {children}
    </main>
  );
}
