import { createStore, type StoreApi } from 'zustand/vanilla';

/** The pages of the app, in the order of the navigation; each has the address `#/<page>`. */
export const PAGES = ['explain', 'api', 'settings'] as const;
export type Page = (typeof PAGES)[number];

/** Which page is shown. The address decides; links change it. */
export interface PageState {
  readonly page: Page;
}
export type PageStore = StoreApi<PageState>;

/** Address of a page, relative to the app. */
export function hashOfPage(page: Page): string {
  return `#/${page}`;
}

/** The page of an address; the first one when it names none. */
export function pageIn(hash: string): Page {
  return PAGES.find((page) => hash === hashOfPage(page)) ?? PAGES[0];
}

/** A store that follows the address, so that links, history and reload work as in any site. */
export function createPageStore({ location, addEventListener }: PageAddress): PageStore {
  const store = createStore<PageState>(() => ({ page: pageIn(location.hash) }));
  addEventListener('hashchange', () => store.setState({ page: pageIn(location.hash) }));
  return store;
}

/** The part of a window that holds the address. */
export interface PageAddress {
  readonly location: Pick<Location, 'hash'>;
  addEventListener(type: 'hashchange', listener: () => void): void;
}
