import { promptWords } from './words.en.ts';
import { numberText } from '../../../words/language.ts';
import type { Progress } from '../../../contract/progress.ts';
import { type EngineStatus, shareOf } from '../../../stores/status-stores.ts';
import { loadedText } from '../../../parts/engine-text.ts';
import { modelStatusWords } from '../../../parts/words.en.ts';

/** Tokens of a picture; contract: tokens per image. */
const PICTURE_TOKENS = 144;

/** Length of a text, and of the picture before it, as a hint at its editor; the number of tokens is an estimate. */
export function lengthText(text: string, hasPicture = false): string {
  const words = promptWords().length;
  const characters = [...text].length;
  if (characters === 0) return hasPicture ? words.picture(PICTURE_TOKENS) : words.empty;
  return (hasPicture ? words.both : words.text)(characters, tokenEstimate(text, hasPicture));
}

/**
 * Tokens of a text, and of the picture before it. English words have about four letters for each token; digits and signs are
 * tokens of their own, and so is each byte of other scripts. With the embedded tokeniser this is within a fifth for English, code,
 * numbers, emoji and five scripts; other languages in Latin letters have up to half more.
 */
export function tokenEstimate(text: string, hasPicture: boolean): number {
  const words = text.match(/[a-z\s]+/gi)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  const rest = new TextEncoder().encode(text).length - words;
  return Math.max(1, Math.round(words / 4 + rest)) + (hasPicture ? PICTURE_TOKENS : 0);
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
