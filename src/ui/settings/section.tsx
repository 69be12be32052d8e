import { useId, type ReactNode } from 'react';
import styles from './settings-page.module.css';

/** See `Section`. */
export interface SectionProps {
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}

/** Settings that belong together: what they are about on one side, the fields on the other. */
export function Section({ title, about, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        <p className={styles.hint}>{about}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
