import type { ComponentProps } from 'react';
import styles from './growing-textarea.module.css';

/** A textarea with its text. */
export interface GrowingTextareaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'rows' | 'value'> {
  readonly value: string;
}

/** A textarea as tall as its text: a hidden copy behind it takes the room, so nothing is measured. */
export function GrowingTextarea({ value, ...rest }: GrowingTextareaProps) {
  return (
    <div className={styles.frame} data-copy={`${value} `}>
      <textarea className={styles.field} rows={1} value={value} spellCheck={false} {...rest} />
    </div>
  );
}
