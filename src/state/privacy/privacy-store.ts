import { createStore, type StoreApi } from 'zustand/vanilla';
import type { KeptHere, KeptThing } from '../../protocol/page/kept-things.ts';
import type { RequestList } from '../../protocol/page/request-list.ts';

/** The browser, as far as it shows what the page does. */
export interface PrivacySource {
  /** Of the page, without its path. */
  readonly origin: string;
  /** Asks for the lists of requests; each is told as it comes. @returns what asks again, and what ends it */
  watchRequests(onList: (list: RequestList) => void): Promise<{ ask(): void; close(): void }>;
  kept(): Promise<KeptHere>;
  /** Removes all that is the app's own. @returns what was removed */
  clear(): Promise<readonly KeptThing[]>;
}

/** What becomes of what is kept. */
export type Clearing =
  | { readonly kind: 'not asked' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly gone: readonly KeptThing[] }
  | { readonly kind: 'failed'; readonly message: string };

/** What became of the file that was opened last. */
export type Opening =
  | { readonly kind: 'none' }
  /** `before` is the state that it replaced, as a file. */
  | { readonly kind: 'taken'; readonly before: string }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** What the page has asked for, and what is kept. */
export interface PrivacyState {
  readonly origin: string;
  /** The newest list of the page and of each worker that has answered. */
  readonly lists: readonly RequestList[];
  /** Null until it was looked at. */
  readonly kept: KeptHere | null;
  readonly clearing: Clearing;
  readonly opening: Opening;
  /** Looks from now on. @returns what ends it */
  watch(): () => void;
  setOpening(opening: Opening): void;
  /** Removes everything; nothing is kept by this tab any more. */
  clear(): Promise<void>;
}
export type PrivacyStore = StoreApi<PrivacyState>;

/** See `createPrivacyStore`. */
export interface PrivacyStoreOptions {
  readonly privacy: PrivacySource;
}

const LOOK_MS = 2_000;

/** @param forget  keeps the stores from writing anything again */
export function createPrivacyStore({ privacy }: PrivacyStoreOptions, forget: () => void): PrivacyStore {
  return createStore<PrivacyState>((set) => {
    const onList = (list: RequestList) =>
      set(({ lists }) => ({ lists: [...lists.filter(({ id }) => id !== list.id), list] }));
    const look = async () => set({ kept: await privacy.kept() });
    return {
      ...{ origin: privacy.origin, lists: [], kept: null, clearing: { kind: 'not asked' }, opening: { kind: 'none' } },
      watch() {
        const watching = privacy.watchRequests(onList);
        const ask = () => {
          void watching.then((watch) => watch.ask());
          void look();
        };
        ask();
        const timer = setInterval(ask, LOOK_MS);
        return () => {
          clearInterval(timer);
          void watching.then((watch) => watch.close());
        };
      },
      setOpening: (opening) => set({ opening }),
      async clear() {
        forget();
        set({ clearing: { kind: 'running' } });
        try {
          set({ clearing: { kind: 'done', gone: await privacy.clear() } });
        } catch (error) {
          set({ clearing: { kind: 'failed', message: error instanceof Error ? error.message : String(error) } });
        }
        await look();
      },
    };
  });
}
