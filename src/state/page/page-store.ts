import { createStore, type StoreApi } from 'zustand/vanilla';

/** The pages of the app, in the order of the navigation; each has the address `#/<page>`. */
export const PAGES = ['explain', 'documents', 'models', 'api', 'settings'] as const;
export type Page = (typeof PAGES)[number];

/** Which page is shown. The address decides; links change it. */
export interface PageState {
  readonly page: Page;
  /** The model that the address names on the models page. */
  readonly model: string | null;
}
export type PageStore = StoreApi<PageState>;

/** Address of a page, relative to the app. */
export function hashOfPage(page: Page): string {
  return `#/${page}`;
}

/** Address of a model's card: the models page, and the model's name behind it. */
export function hashOfCard(model: string): string {
  return `${hashOfPage('models')}/${encodeURIComponent(model)}`;
}

/** The page of an address, and the model it names; the first page when it names none. */
export function pageIn(hash: string): PageState {
  const [, name, model = null] = /^#\/([a-z]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  const page = PAGES.find((one) => one === name && (model === null || one === 'models'));
  return page ? { page, model: model && decoded(model) } : { page: PAGES[0], model: null };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // a damaged address names no model
  }
}

/** A store that follows the address, so that links, history and reload work as in any site. */
export function createPageStore({ location, addEventListener }: PageAddress): PageStore {
  const store = createStore<PageState>(() => pageIn(location.hash));
  addEventListener('hashchange', () => store.setState(pageIn(location.hash)));
  return store;
}

/** The part of a window that holds the address. */
export interface PageAddress {
  readonly location: Pick<Location, 'hash'>;
  addEventListener(type: 'hashchange', listener: () => void): void;
}
