import { modelStatusWords } from './words.en.ts';
import { countText, numberText } from '../words/language.ts';
import { type EngineReport, type EngineStatus, type LoadProgress, shareOf } from '../stores/engine-store.ts';

/** A model's state in a few words, and in a sentence. */
interface EngineText {
  readonly short: string;
  readonly long: string;
}

/** Says how the model runs, or how far it has come. */
export function engineText(status: EngineStatus): EngineText {
  switch (status.kind) {
    case 'loading':
      return { short: loadingText(status.progress), long: modelStatusWords().loadingLong };
    case 'ready':
      return readyText(status.report);
    case 'failed':
      return { short: modelStatusWords().failed, long: status.problem.message };
  }
}

/** Such as "loading 43 %". */
export function loadingText(progress: LoadProgress | null): string {
  const words = modelStatusWords();
  const share = shareOf(progress);
  if (progress?.phase === 'compile') return words.preparing;
  return share === null ? words.loading : words.loadingShare(numberText(Math.round(share * 100)));
}

const NAMES: Readonly<Record<string, string>> = { wasm: 'WASM', webgpu: 'WebGPU' };

/** A remote engine's report begins with its address. */
const ADDRESS = /^https?:\/\/([^/,\s]+)/;

function readyText(report: EngineReport): EngineText {
  const short = backendText(report);
  return { short, long: `${short}: ${report.reason}` };
}

function backendText({ backend, threads, reason }: EngineReport): string {
  const name = NAMES[backend] ?? ADDRESS.exec(reason)?.[1] ?? backend;
  return backend === 'wasm' ? `${name}, ${countText(threads, modelStatusWords().threads)}` : name;
}
