import {
  type EngineReport,
  type EngineStatus,
  type LoadProgress,
  shareOf,
} from '../../../state/models/engine-store.ts';

/** A model's state in a few words, and in a sentence. */
export interface EngineText {
  readonly short: string;
  readonly long: string;
}

/** Says how the model runs, or how far it has come. */
export function engineText(status: EngineStatus): EngineText {
  switch (status.kind) {
    case 'loading':
      return { short: loadingText(status.progress), long: 'The model is loading from this site into the page.' };
    case 'ready':
      return readyText(status.report);
    case 'failed':
      return { short: 'not running', long: status.problem.message };
  }
}

/** Such as "loading 43 %". */
export function loadingText(progress: LoadProgress | null): string {
  const share = shareOf(progress);
  if (progress?.phase === 'compile') return 'preparing';
  return share === null ? 'loading' : `loading ${Math.round(share * 100)} %`;
}

const NAMES: Readonly<Record<string, string>> = { wasm: 'WASM', webgpu: 'WebGPU' };

function readyText(report: EngineReport): EngineText {
  const short = backendText(report);
  return { short, long: `${short}: ${report.reason}` };
}

function backendText({ backend, threads }: EngineReport): string {
  const name = NAMES[backend] ?? backend;
  return backend === 'wasm' ? `${name}, ${threads} ${threads === 1 ? 'thread' : 'threads'}` : name;
}
