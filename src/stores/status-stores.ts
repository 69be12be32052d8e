import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Progress } from '../contract/progress.ts';
import type { OriginOccupant } from '../protocol/page/privacy-facts.ts';
import type { OfflineFacts, OfflinePart } from '../protocol/page/site-files.ts';

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
  /** How far it has come, in the units of `total` (bytes while downloading), and the seconds that this takes as `createTimeLeft` estimates them. */
  | {
      readonly kind: 'loading';
      readonly progress: Pick<Progress, 'phase' | 'done' | 'total'> | null;
      readonly secondsLeft?: number | null;
    }
  | { readonly kind: 'ready'; readonly report: EngineReport }
  | { readonly kind: 'failed'; readonly problem: { readonly code: string; readonly message: string } };

/** Written by the composition root as the default model loads, read by the page. */
interface EngineState {
  readonly model: string;
  readonly status: EngineStatus;
  opening(model: string): void;
  loading(progress: Progress | null): void;
  ready(report: EngineReport): void;
  failed(problem: { readonly code: string; readonly message: string }): void;
  retry(): void;
}

/** A store for the model that loads first. @param retry  loads it again where that has failed */
export function createEngineStore(model: string, retry: () => void): StoreApi<EngineState> {
  let timeLeft = createTimeLeft();
  return createStore<EngineState>((set) => ({
    model,
    status: { kind: 'loading', progress: null },
    opening(name) {
      timeLeft = createTimeLeft();
      set({ model: name, status: { kind: 'loading', progress: null } });
    },
    loading: (progress) => set({ status: { kind: 'loading', progress, secondsLeft: timeLeft(progress) } }),
    ready: (report) => set({ status: { kind: 'ready', report } }),
    failed: (problem) => set({ status: { kind: 'failed', problem } }),
    retry,
  }));
}

/** Work that ends sooner shows no time left, and an estimate needs some of the work done, seconds. */
const [SHORT_SECONDS, MEASURED_SECONDS] = [5, 1];

/** Estimates the seconds left from the bytes or sections done so far; null while that says little, and for short work. */
export function createTimeLeft(now = () => performance.now()): (progress: Progress | null) => number | null {
  let begun: { readonly phase: Progress['phase']; readonly done: number; readonly ms: number } | null = null;
  return (progress) => {
    if (progress?.phase !== 'download' && progress?.phase !== 'run') return null;
    const { phase, done, total } = progress;
    if (begun?.phase !== phase) begun = { phase, done, ms: now() };
    const seconds = (now() - begun.ms) / 1000;
    const left = (seconds / (done - begun.done)) * (total - done);
    return seconds >= MEASURED_SECONDS && left >= SHORT_SECONDS && Number.isFinite(left) ? Math.round(left) : null;
  };
}

/** Share of the loading that is done, 0 … 1; null when it is not known. */
export function shareOf(progress: { done: number; total: number } | null): number | null {
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null;
}

/** `absent`: this address or server has none. */
export type BridgeStatus = 'absent' | 'connecting' | 'connected';
/** Whether `fetch('api/…')` works; `absent` where the browser or the address allows no service worker. */
export type ServiceWorkerStatus = 'absent' | 'starting' | 'active' | 'failed';

/** How requests reach the page's router from outside the page; written by the composition root. */
interface TransportsState {
  readonly bridge: BridgeStatus;
  readonly serviceWorker: ServiceWorkerStatus;
  /** Why the service worker could not be started; null while nothing failed. */
  readonly reason: string | null;
  /** What other software has left on this origin, unless the user has read it. */
  readonly occupants: readonly OriginOccupant[];
}

/** Nothing is known yet. */
export function createTransportsStore(): StoreApi<TransportsState> {
  return createStore(() => ({
    bridge: 'connecting',
    serviceWorker: 'starting',
    reason: null,
    occupants: [],
  }));
}

/** Whether the page works without a network. The composition root writes the facts; `parts` is empty until they are known. */
interface OfflineState extends OfflineFacts {
  /** `unknown` until the service worker runs; `absent` where this browser or address allows none. */
  readonly kind: 'unknown' | 'absent' | 'known';
  /** The visitor has read that there is a newer version. */
  readonly isNoticed: boolean;
  /** Null until something can be stored. */
  readonly actions: { download(): Promise<void>; update(): Promise<void> } | null;
  /** Opens the browser's own dialog; null while the browser offers none. */
  readonly install: (() => void) | null;
}

/** Nothing is known yet. */
export function createOfflineStore(): StoreApi<OfflineState> {
  return createStore(() => ({
    kind: 'unknown',
    parts: [],
    isDownloading: false,
    problem: null,
    hasOlder: false,
    isNewer: false,
    isNoticed: false,
    actions: null,
    install: null,
  }));
}

/** Bytes of the app that are here, and all of them. */
export function cachedSizes(parts: readonly OfflinePart[]): { readonly bytes: number; readonly cachedBytes: number } {
  const sum = (field: 'bytes' | 'cachedBytes') => parts.reduce((all, part) => all + part[field], 0);
  return { bytes: sum('bytes'), cachedBytes: sum('cachedBytes') };
}

/** Whether all of it is here; false while that is not known. */
export function isFullyCached(parts: readonly OfflinePart[]): boolean {
  const { bytes, cachedBytes } = cachedSizes(parts);
  return parts.length > 0 && bytes === cachedBytes;
}
