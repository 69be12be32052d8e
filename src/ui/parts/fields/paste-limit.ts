import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { partsWords } from '../../../words/en/parts.ts';
import { numberText } from '../../../words/numbers.ts';

/** UTF-16 units that a field takes at once: ten times what the embedded models read, laid out in 41 ms of a slow processor. */
export const MOST_PASTED = 50_000;

/** What to say of a text that is too long to be pasted; null: it may be. */
export function pasteProblem({ length }: { readonly length: number }, limit: number): string | null {
  if (length <= limit) return null;
  return partsWords().pasteTooLong(numberText(length), numberText(limit));
}

/** Refuses texts that are too long before the browser puts them into a field. */
export function usePasteLimit(limit: number) {
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
