/** Something on this origin that is not ours: what put it there can read the token, the prompts and the results. */
export interface OriginOccupant {
  readonly kind: 'service worker' | 'storage' | 'database' | 'cache';
  /** Address of the script, or name of the entry. */
  readonly name: string;
}

/** Something that the browser stores for the page's origin. */
export interface StoredItem {
  readonly kind: 'text' | 'text of this tab' | 'cache' | 'database' | 'service worker' | 'models';
  readonly name: string;
  /** Null where the browser does not report it. */
  readonly bytes: number | null;
  /** Of a cache, or of models. */
  readonly files: number | null;
  /** Whether it is of this app; an origin may be shared. */
  readonly isOwn: boolean;
}

/** Everything that is stored, and the quota. */
export interface OriginStorage {
  readonly items: readonly StoredItem[];
  /** Bytes of the whole origin, as the browser estimates them; null where it does not. */
  readonly usedBytes: number | null;
  readonly allowedBytes: number | null;
  /** Open tabs of this app, with this one. */
  readonly tabs: number;
}
