import { type ClipboardEvent, type ComponentProps, type DragEvent, useState } from 'react';
import styles from './growing-textarea.module.css';
import { partsWords } from '../words.en.ts';
import { numberText } from '../../words/language.ts';

/** UTF-16 units that a field takes at once: ten times what the embedded models read, laid out in 41 ms of a slow processor. */
export const MAX_PASTED = 50_000;

interface GrowingTextareaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'rows' | 'value'> {
  readonly value: string;
  /** UTF-16 units that may be pasted at once. Default: `MAX_PASTED`. */
  readonly mostPasted?: number;
}

/** A textarea as tall as its text, by a hidden copy. A text too long to be laid out is not pasted; a line says so. */
export function GrowingTextarea({ value, mostPasted = MAX_PASTED, ...rest }: GrowingTextareaProps) {
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

/** What to say of a text that is too long to be pasted; null: it may be. */
export function pasteProblem({ length }: { readonly length: number }, limit: number): string | null {
  if (length <= limit) return null;
  return partsWords().pasteTooLong(numberText(length), numberText(limit));
}

/** Refuses texts that are too long before the browser puts them into a field. */
function usePasteLimit(limit: number) {
  const [problem, setProblem] = useState<string | null>(null);
  const refuse = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    const found = pasteProblem(data.getData('text/plain'), limit);
    setProblem(found);
    if (found !== null) event.preventDefault();
  };
  return {
    problem,
    onPaste: (event: ClipboardEvent) => refuse(event, event.clipboardData),
    onDrop: (event: DragEvent) => refuse(event, event.dataTransfer),
  };
}
