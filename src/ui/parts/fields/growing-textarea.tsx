import type { ComponentProps } from 'react';
import { MOST_PASTED, usePasteLimit } from './paste-limit.ts';
import styles from './growing-textarea.module.css';

/** A textarea with its text. */
export interface GrowingTextareaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'rows' | 'value'> {
  readonly value: string;
  /** UTF-16 units that may be pasted at once. Default: `MOST_PASTED`. */
  readonly mostPasted?: number;
}

/**
 * A textarea as tall as its text: a hidden copy behind it takes the room, so nothing is measured. A text that is too long
 * to be laid out at once is not pasted, and a line below says so.
 */
export function GrowingTextarea({ value, mostPasted = MOST_PASTED, ...rest }: GrowingTextareaProps) {
  const { problem, onPaste, onDrop } = usePasteLimit(mostPasted);
  return (
    <>
      <div className={styles.frame} data-copy={`${value} `}>
        <textarea
          className={styles.field}
          dir="auto"
          rows={1}
          value={value}
          spellCheck={false}
          onPaste={onPaste}
          onDrop={onDrop}
          {...rest}
        />
      </div>
      {problem && (
        <p className={styles.wrong} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
