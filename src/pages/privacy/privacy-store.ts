import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OriginStorage, RequestList, StoredItem } from '../../protocol/page/privacy-facts.ts';
import { messageOf } from '../../contract/failure.ts';

/** Requests and storage of the app in this browser. */
export interface PrivacySource {
  readonly origin: string;
  /** Collects the lists of requests; each is passed on when it arrives. */
  watchRequests(onList: (list: RequestList) => void): Promise<{ poll(): void; close(): void }>;
  listStorage(): Promise<OriginStorage>;
  /** Removes everything that the app has stored; this tab stores nothing afterwards. @returns the removed items */
  clear(): Promise<readonly StoredItem[]>;
}

type Clearing =
  | { readonly kind: 'not asked' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly gone: readonly StoredItem[] }
  | { readonly kind: 'failed'; readonly message: string };

type StateOpening =
  | { readonly kind: 'none' }
  /** `before` is the replaced state, as a file. */
  | { readonly kind: 'taken'; readonly before: string }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

interface PrivacyState {
  readonly origin: string;
  /** The newest list of the page and of each worker. */
  readonly lists: readonly RequestList[];
  /** Null until it is read. */
  readonly storage: OriginStorage | null;
  readonly clearing: Clearing;
  readonly opening: StateOpening;
  /** Reads requests and storage regularly. @returns a function that stops it */
  watch(): () => void;
  setOpening(opening: StateOpening): void;
  /** Removes everything; this tab stores nothing afterwards. */
  clear(): Promise<void>;
}

const POLL_MS = 2_000;

/** A store of requests and storage. */
export function createPrivacyStore(privacy: PrivacySource): StoreApi<PrivacyState> {
  return createStore<PrivacyState>((set) => {
    const onList = (list: RequestList) =>
      set(({ lists }) => ({ lists: [...lists.filter(({ id }) => id !== list.id), list] }));
    const readStorage = async () => set({ storage: await privacy.listStorage() });
    return {
      origin: privacy.origin,
      lists: [],
      storage: null,
      clearing: { kind: 'not asked' },
      opening: { kind: 'none' },
      watch() {
        const watching = privacy.watchRequests(onList);
        const poll = () => {
          void watching.then((watch) => watch.poll());
          void readStorage();
        };
        poll();
        const timer = setInterval(poll, POLL_MS);
        return () => {
          clearInterval(timer);
          void watching.then((watch) => watch.close());
        };
      },
      setOpening: (opening) => set({ opening }),
      async clear() {
        set({ clearing: { kind: 'running' } });
        try {
          set({ clearing: { kind: 'done', gone: await privacy.clear() } });
        } catch (error) {
          set({ clearing: { kind: 'failed', message: messageOf(error) } });
        }
        await readStorage();
      },
    };
  });
}
