import type { ReactNode } from 'react';
import styles from './field.module.css';

/** See `LabelRow`. */
export interface LabelRowProps {
  /** The field's id. */
  readonly htmlFor: string;
  readonly label: string;
  /** Stands at the end of the row. */
  readonly children?: ReactNode;
}

/** The row above a field: its label, and what is to be said or done about it. */
export function LabelRow({ htmlFor, label, children }: LabelRowProps) {
  return (
    <div className={styles.labelRow}>
      <label className={styles.label} htmlFor={htmlFor}>
        {label}
      </label>
      {children}
    </div>
  );
}
