import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OfflineFacts, OfflinePart } from '../protocol/page/site-files.ts';

/** What stores the files. */
interface OfflineActions {
  download(): Promise<void>;
  update(): Promise<void>;
}

/** Whether the page works without a network. The composition root writes the facts; `parts` is empty until they are known. */
interface OfflineState extends OfflineFacts {
  /** `unknown` until the service worker runs; `absent` where this browser or address allows none. */
  readonly kind: 'unknown' | 'absent' | 'known';
  /** The visitor has read that there is a newer version. */
  readonly isNoticed: boolean;
  /** Null until something can be stored. */
  readonly actions: OfflineActions | null;
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
