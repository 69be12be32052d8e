import { createStore, type StoreApi } from 'zustand/vanilla';

/** `absent`: this address or server has none. */
export type BridgeStatus = 'absent' | 'connecting' | 'connected';
export type ServiceWorkerStatus = 'absent' | 'starting' | 'active' | 'failed';

/** Something at the page's own address that is not ours. */
export interface Stranger {
  readonly kind: 'service worker' | 'storage' | 'database' | 'cache';
  readonly name: string;
}

/** How requests reach the page's router from outside the page; written by the composition root. */
export interface TransportsState {
  readonly bridge: BridgeStatus;
  readonly serviceWorker: ServiceWorkerStatus;
  /** Why the service worker could not be started; null while nothing failed. */
  readonly reason: string | null;
  /** What other software has left on this origin, unless the user has read it. */
  readonly strangers: readonly Stranger[];
  setBridge(status: BridgeStatus): void;
  setServiceWorker(status: ServiceWorkerStatus, reason?: string): void;
  setStrangers(strangers: readonly Stranger[]): void;
}
export type TransportsStore = StoreApi<TransportsState>;

/** Nothing is known yet. */
export function createTransportsStore(): TransportsStore {
  return createStore<TransportsState>((set) => ({
    bridge: 'connecting',
    serviceWorker: 'starting',
    reason: null,
    strangers: [],
    setBridge: (bridge) => set({ bridge }),
    setServiceWorker: (serviceWorker, reason) => set({ serviceWorker, reason: reason ?? null }),
    setStrangers: (strangers) => set({ strangers }),
  }));
}
