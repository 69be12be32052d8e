import type { ReactNode } from 'react';
import styles from './class.module.css';

/** See `PartFrame`. */
interface PartFrameProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** A part of the Learn page that is no lesson. */
export function PartFrame({ title, text, children }: PartFrameProps) {
  return (
    <article className={styles.part} data-testid="class-part">
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {children}
    </article>
  );
}
