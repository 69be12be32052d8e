import { PICTURE_TOKENS, tokenEstimate } from '../../../explanations/token-estimate.ts';
import { promptWords } from './words.en.ts';
import { numberText } from '../../../words/language.ts';
import type { Progress } from '../../../contract/progress.ts';
import { type EngineStatus, shareOf } from '../../../stores/status-stores.ts';
import { loadedText } from '../../../parts/engine-text.ts';
import { modelStatusWords } from '../../../parts/words.en.ts';

/** Length of a text, and of the picture before it, as a hint at its editor; the number of tokens is an estimate. */
export function lengthText(text: string, hasPicture = false): string {
  const words = promptWords().length;
  const characters = [...text].length;
  if (characters === 0) return hasPicture ? words.picture(PICTURE_TOKENS) : words.empty;
  return (hasPicture ? words.both : words.text)(characters, tokenEstimate(text, hasPicture));
}

/** Progress of a request in words, with the time left where it is known, and as a share of 0 … 1; before its first step, that of the model it waits for. */
export function runText(
  progress: Progress | null,
  engine: EngineStatus,
  secondsLeft: number | null = null,
): { readonly text: string; readonly share: number | null } {
  const words = promptWords().run;
  if (progress?.phase === 'run') {
    const text = words.sections(numberText(progress.done), numberText(progress.total));
    const left = secondsLeft === null ? '' : `, ${modelStatusWords().left(numberText(secondsLeft))}`;
    return { text: text + left, share: shareOf(progress) };
  }
  const isLoading = progress?.phase === 'download' || progress?.phase === 'compile';
  if (engine.kind !== 'loading' && !isLoading) return { text: words.starting, share: null };
  const loading = engine.kind === 'loading' ? engine : { progress };
  const share = loading.progress?.phase === 'download' ? shareOf(loading.progress) : null;
  return { text: words.waiting(loadedText(loading)), share };
}
