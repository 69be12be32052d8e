import type { Progress } from '../contract/progress.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** How a model came to run as it does. */
export interface EngineReport {
  /** Such as `wasm` or `webgpu`. */
  readonly backend: string;
  /** Threads of a WebAssembly backend. */
  readonly threads: number;
  /** One sentence: why this backend, and what would be faster. */
  readonly reason: string;
}

/** The default model's state. */
export type EngineStatus =
  /** How far it has come, in the units of `total` (bytes while downloading). */
  | { readonly kind: 'loading'; readonly progress: Pick<Progress, 'phase' | 'done' | 'total'> | null }
  | { readonly kind: 'ready'; readonly report: EngineReport }
  | { readonly kind: 'failed'; readonly problem: { readonly code: string; readonly message: string } };

/** Written by the composition root as the default model loads, read by the page. */
interface EngineState {
  readonly model: string;
  readonly status: EngineStatus;
  /** Another model has become the default one. */
  opening(model: string): void;
  loading(progress: Progress | null): void;
  ready(report: EngineReport): void;
  failed(problem: { readonly code: string; readonly message: string }): void;
  /** Loads the model again if that has failed. */
  retry(): void;
}

/** A store for the model that loads first. @param retry  loads it again where that has failed */
export function createEngineStore(model: string, retry: () => void): StoreApi<EngineState> {
  return createStore<EngineState>((set) => ({
    model,
    status: { kind: 'loading', progress: null },
    opening: (name) => set({ model: name, status: { kind: 'loading', progress: null } }),
    loading: (progress) => set({ status: { kind: 'loading', progress } }),
    ready: (report) => set({ status: { kind: 'ready', report } }),
    failed: (problem) => set({ status: { kind: 'failed', problem } }),
    retry,
  }));
}

/** Share of the loading that is done, 0 … 1; null when it is not known. */
export function shareOf(progress: { done: number; total: number } | null): number | null {
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null;
}
