import type { Progress } from '../../../contract/progress.ts';
import { shareOf, type EngineStatus } from '../../../state/models/engine-store.ts';
import { loadingText } from '../../header/engine-text.ts';

/** How far a request has come: words, and a share of 0 … 1 where it is known. */
export interface RunText {
  readonly text: string;
  readonly share: number | null;
}

/** Progress in words; a model that still loads is what a request waits for. */
export function runText(progress: Progress | null, engine: EngineStatus): RunText {
  if (progress?.phase === 'run') {
    return { text: `${progress.done} of ${progress.total} sections`, share: shareOf(progress) };
  }
  if (engine.kind === 'loading') {
    const share = engine.progress?.phase === 'download' ? shareOf(engine.progress) : null;
    return { text: `Waiting for the model: ${loadingText(engine.progress)}`, share };
  }
  if (progress?.phase === 'download') return { text: 'Fetching the model', share: shareOf(progress) };
  if (progress?.phase === 'compile') return { text: 'Preparing the model', share: null };
  return { text: 'Starting', share: null };
}

/** The same for a screen reader, which would choke on every step: only quarters are told. */
export function spokenProgress({ text, share }: RunText): string {
  if (share === null) return text;
  const percent = Math.floor(share * 4) * 25;
  return percent === 0 ? 'Explaining' : `${percent} percent explained`;
}
