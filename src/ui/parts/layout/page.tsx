import type { ReactNode } from 'react';
import styles from './page.module.css';

/** See `Page`. */
export interface PageProps {
  readonly title: string;
  /** One sentence: what the page is for. */
  readonly claim: string;
  readonly children: ReactNode;
}

/** The frame of every page: its heading, its purpose, its content. */
export function Page({ title, claim, children }: PageProps) {
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
