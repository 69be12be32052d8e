import { useState } from 'react';
import { Button } from './button.tsx';

type Copied = 'not yet' | 'done' | 'refused';

/** Copies when pressed, and says how that went. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [copied, setCopied] = useState<Copied>('not yet');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied('done');
    } catch {
      setCopied('refused');
    }
  };
  const words = { 'not yet': label, done: 'Copied', refused: 'The browser did not allow it' };
  return (
    <Button look="quiet" onClick={() => void copy()} onBlur={() => setCopied('not yet')}>
      <span aria-live="polite">{words[copied]}</span>
    </Button>
  );
}
