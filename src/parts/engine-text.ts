import { modelStatusWords } from './words.en.ts';
import { countText, numberText, sizeText } from '../words/language.ts';
import { type EngineReport, type EngineStatus, shareOf } from '../stores/status-stores.ts';

/** How the model runs, or how far it has come: in a few words, and in a sentence. */
export function engineText(status: EngineStatus): { readonly short: string; readonly long: string } {
  switch (status.kind) {
    case 'loading':
      return { short: loadingText(status), long: modelStatusWords().loadingLong(loadedText(status)) };
    case 'ready': {
      const short = backendText(status.report);
      return { short, long: `${short}: ${status.report.reason}` };
    }
    case 'failed':
      return { short: modelStatusWords().failed, long: status.problem.message };
  }
}

type Loading = Extract<EngineStatus, { kind: 'loading' }>;

/** Such as "loading 43 %". */
function loadingText(status: Loading): string {
  const words = modelStatusWords();
  const share = shareOf(status.progress);
  if (status.progress?.phase === 'compile') return loadedText(status);
  return share === null ? words.loading : words.loadingShare(numberText(Math.round(share * 100)));
}

/** What a model that loads does, such as "reading 232 MB of 539 MB, about 12 s left". */
export function loadedText({ progress, secondsLeft = null }: Pick<Loading, 'progress' | 'secondsLeft'>): string {
  const words = modelStatusWords();
  if (progress?.phase === 'compile') return progress.done === 0 ? words.opening : words.testing;
  if (progress?.phase !== 'download' || progress.total === 0) return words.reading;
  const read = words.readingBytes(sizeText(progress.done), sizeText(progress.total));
  return secondsLeft === null ? read : `${read}, ${words.left(numberText(secondsLeft))}`;
}

const NAMES: Readonly<Record<string, string>> = { wasm: 'WASM', webgpu: 'WebGPU' };

/** A remote engine's report begins with its address. */
const ADDRESS = /^https?:\/\/([^/,\s]+)/;

function backendText({ backend, threads, reason }: EngineReport): string {
  const name = NAMES[backend] ?? ADDRESS.exec(reason)?.[1] ?? backend;
  return backend === 'wasm' ? `${name}, ${countText(threads, modelStatusWords().threads)}` : name;
}
