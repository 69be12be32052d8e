import type { Progress } from '../../../contract/progress.ts';
import { documentsWords } from '../../../words/en/documents.ts';
import { numberText } from '../../../words/numbers.ts';

/** How far a request is, in words, and as a share, 0 … 1, where that is known. */
export function progressOf(progress: Progress | null): { readonly text: string; readonly share: number | null } {
  const words = documentsWords().ask;
  if (!progress) return { text: words.starting, share: null };
  const { phase, done, total } = progress;
  const share = total > 0 ? Math.min(1, done / total) : null;
  switch (phase) {
    case 'queue':
      return { text: words.queue, share: null };
    case 'download':
      return { text: words.download(numberText(Math.round((share ?? 0) * 100))), share };
    case 'compile':
      return { text: words.compile, share: null };
    case 'run':
      return { text: words.run(numberText(done), numberText(total)), share };
  }
}
