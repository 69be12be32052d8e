/** Something that the browser keeps for the page's origin. */
export interface KeptThing {
  readonly kind: 'text' | 'text of this tab' | 'cache' | 'database' | 'service worker' | 'models';
  readonly name: string;
  /** Null where the browser does not tell. */
  readonly bytes: number | null;
  /** Of a cache, or of models. */
  readonly files: number | null;
  /** Whether it is of this app; an origin may be shared. */
  readonly isOwn: boolean;
}

/** What is kept, and how much may be. */
export interface KeptHere {
  readonly things: readonly KeptThing[];
  /** Bytes of the whole origin, as the browser estimates them; null where it does not. */
  readonly usedBytes: number | null;
  readonly allowedBytes: number | null;
  /** Open tabs of this app, with this one. */
  readonly tabs: number;
}
