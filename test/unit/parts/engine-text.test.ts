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
    [{ kind: 'loading', progress: { phase: 'compile', done: 0, total: 1 } }, 'preparing'],
    [ready('wasm', 2), 'WASM, 2 threads'],
    [ready('wasm', 1), 'WASM, 1 thread'],
    [ready('webgpu', 1), 'WebGPU'],
    [ready('elsewhere', 1), 'elsewhere'],
    [{ kind: 'failed', problem: { code: 'X', message: 'no files' } }, 'not running'],
  ])('says it shortly (%#)', (status, short) => {
    expect(engineText(status).short).toBe(short);
  });

  it('gives the reason at length', () => {
    expect(engineText(ready('wasm', 2)).long).toBe('WASM, 2 threads: measured');
    expect(engineText({ kind: 'failed', problem: { code: 'X', message: 'no files' } }).long).toBe('no files');
  });
});
