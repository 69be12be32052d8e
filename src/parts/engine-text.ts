import { modelStatusWords } from './words.en.ts';
import { countText, numberText } from '../words/language.ts';
import { type EngineReport, type EngineStatus, shareOf } from '../stores/status-stores.ts';

/** How the model runs, or how far it has come: in a few words, and in a sentence. */
export function engineText(status: EngineStatus): { readonly short: string; readonly long: string } {
  switch (status.kind) {
    case 'loading':
      return { short: loadingText(status), long: modelStatusWords().loadingLong };
    case 'ready': {
      const short = backendText(status.report);
      return { short, long: `${short}: ${status.report.reason}` };
    }
    case 'failed':
      return { short: modelStatusWords().failed, long: status.problem.message };
  }
}

/** Such as "loading 43 %". */
export function loadingText({ progress }: Extract<EngineStatus, { kind: 'loading' }>): string {
  const words = modelStatusWords();
  const share = shareOf(progress);
  if (progress?.phase === 'compile') return words.preparing;
  return share === null ? words.loading : words.loadingShare(numberText(Math.round(share * 100)));
}

const NAMES: Readonly<Record<string, string>> = { wasm: 'WASM', webgpu: 'WebGPU' };

/** A remote engine's report begins with its address. */
const ADDRESS = /^https?:\/\/([^/,\s]+)/;

function backendText({ backend, threads, reason }: EngineReport): string {
  const name = NAMES[backend] ?? ADDRESS.exec(reason)?.[1] ?? backend;
  return backend === 'wasm' ? `${name}, ${countText(threads, modelStatusWords().threads)}` : name;
}
