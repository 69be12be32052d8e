import type { ReactNode } from 'react';
import styles from './page-layout.module.css';

interface PageLayoutProps {
  readonly title: string;
  /** One sentence: what the page is for. */
  readonly claim: string;
  readonly children: ReactNode;
}

/** The frame of every page: its heading, its purpose, its content. */
export function PageLayout({ title, claim, children }: PageLayoutProps) {
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
