import { createStore, type StoreApi } from 'zustand/vanilla';

/** Some of the app's files: `app`, or the name of a model. */
export interface KeptPart {
  readonly name: string;
  readonly bytes: number;
  readonly keptBytes: number;
}

/** What of the app is on the device; written by the composition root. */
export interface OfflineFacts {
  /** Empty until it is known. */
  readonly parts: readonly KeptPart[];
  readonly isKeeping: boolean;
  /** What kept the last attempt from its end; null: nothing. */
  readonly problem: string | null;
  /** An older version is served from here: the page opens without a network, whatever of a newer one is missing. */
  readonly hasOlder: boolean;
  /** All files of a newer version are here; a reload through `takeNewest` opens it. */
  readonly isNewer: boolean;
}

/** What keeps the files. */
export interface OfflineActions {
  keep(): Promise<void>;
  takeNewest(): Promise<void>;
}

/** Whether the page works without a network. */
export interface OfflineState extends OfflineFacts {
  /** `unknown` until the service worker is at work; `absent` where this browser or address allows none. */
  readonly kind: 'unknown' | 'absent' | 'known';
  /** The visitor has read that there is a newer version. */
  readonly isNoticed: boolean;
  /** Null until something can be kept. */
  readonly actions: OfflineActions | null;
  /** Opens the browser's own question; null while the browser offers none. */
  readonly install: (() => void) | null;
  /** Says what keeps the files; null: nothing does. */
  connect(actions: OfflineActions | null): void;
  setFacts(facts: OfflineFacts): void;
  notice(): void;
  offerInstall(install: (() => void) | null): void;
}
export type OfflineStore = StoreApi<OfflineState>;

/** Nothing is known yet. */
export function createOfflineStore(): OfflineStore {
  return createStore<OfflineState>((set) => ({
    ...{
      kind: 'unknown',
      parts: [],
      isKeeping: false,
      problem: null,
      hasOlder: false,
      isNewer: false,
      isNoticed: false,
      actions: null,
      install: null,
    },
    connect: (actions) => set(actions ? { actions } : { actions, kind: 'absent' }),
    setFacts: (facts) => set({ ...facts, kind: 'known' }),
    offerInstall: (install) => set({ install }),
    notice: () => set({ isNoticed: true }),
  }));
}

/** Bytes of the app that are here, and all of them. */
export function keptSizes(parts: readonly KeptPart[]): { readonly bytes: number; readonly keptBytes: number } {
  const sum = (field: 'bytes' | 'keptBytes') => parts.reduce((all, part) => all + part[field], 0);
  return { bytes: sum('bytes'), keptBytes: sum('keptBytes') };
}

/** Whether all of it is here; false while that is not known. */
export function isAllKept(parts: readonly KeptPart[]): boolean {
  const { bytes, keptBytes } = keptSizes(parts);
  return parts.length > 0 && bytes === keptBytes;
}
