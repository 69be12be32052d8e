import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OriginOccupant } from '../protocol/page/stored-items.ts';

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
