import { describe, expect, it } from 'vitest';
import type { EngineStatus } from '../../../src/stores/status-stores.ts';
import { engineText } from '../../../src/parts/engine-text.ts';

function ready(backend: string, threads: number): EngineStatus {
  return { kind: 'ready', report: { backend, threads, reason: 'measured' } };
}

describe('engineText', () => {
  it.each<[EngineStatus, string]>([
    [{ kind: 'loading', progress: null }, 'loading'],
    [{ kind: 'loading', progress: { phase: 'download', done: 1, total: 4 } }, 'loading 25 %'],
    [{ kind: 'loading', progress: { phase: 'compile', done: 0, total: 2 } }, 'opening'],
    [{ kind: 'loading', progress: { phase: 'compile', done: 1, total: 2 } }, 'testing'],
    [ready('wasm', 2), 'WASM, 2 threads'],
    [ready('wasm', 1), 'WASM, 1 thread'],
    [ready('webgpu', 1), 'WebGPU'],
    [ready('elsewhere', 1), 'elsewhere'],
    [{ kind: 'failed', problem: { code: 'X', message: 'no files' } }, 'not running'],
  ])('says it shortly (%#)', (status, short) => {
    expect(engineText(status).short).toBe(short);
  });

  it('gives bytes and the time left while it loads', () => {
    const progress = { phase: 'download', done: 43e6, total: 1e8 } as const;
    const long = (status: EngineStatus) => engineText(status).long;
    expect(long({ kind: 'loading', progress, secondsLeft: 7 })).toBe(
      'The model is loading into the page: reading 43 MB of 100 MB, about 7 s left.',
    );
    expect(long({ kind: 'loading', progress })).toBe('The model is loading into the page: reading 43 MB of 100 MB.');
    expect(long({ kind: 'loading', progress: null })).toBe('The model is loading into the page: reading.');
  });

  it('gives the reason at length', () => {
    expect(engineText(ready('wasm', 2)).long).toBe('WASM, 2 threads: measured');
    expect(engineText({ kind: 'failed', problem: { code: 'X', message: 'no files' } }).long).toBe('no files');
  });
});
