import { createStore, type StoreApi } from 'zustand/vanilla';

/** The pages of the app, in the order of the navigation; each has the address `#/<page>`. */
export const PAGES = [
  'explain',
  'documents',
  'meaning',
  'inside',
  'learn',
  'models',
  'api',
  'settings',
  'privacy',
] as const;
export type Page = (typeof PAGES)[number];

/** Pages whose address can name a part of them: a lesson, the card of a model. */
const IN_PARTS: ReadonlySet<Page> = new Set<Page>(['learn', 'models']);

/** Which page is shown. The address decides; links change it. */
interface PageState {
  readonly page: Page;
  /** What the address names on a page that has parts: a lesson, a model. */
  readonly part: string | null;
}

/** Address of a page, relative to the app. */
export function hashOfPage(page: Page): string {
  return `#/${page}`;
}

/** Address of a part of a page: the page, then the part's name. */
export function hashOfPart(page: Page, part: string): string {
  return `${hashOfPage(page)}/${encodeURIComponent(part)}`;
}

/** Address of a model's card. */
export function hashOfCard(model: string): string {
  return hashOfPart('models', model);
}

/** The page of an address, and the part it names; the first page when it names none. */
export function pageIn(hash: string): PageState {
  const [, name, part = null] = /^#\/([a-z]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  const page = PAGES.find((one) => one === name && (part === null || IN_PARTS.has(one)));
  return page ? { page, part: part && decoded(part) } : { page: PAGES[0], part: null };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // a damaged address names no part
  }
}

/** A store that follows the address, so that links, history and reload work as in any site. */
export function createPageStore(page: {
  readonly location: Pick<Location, 'hash'>;
  addEventListener(type: 'hashchange', listener: () => void): void;
}): StoreApi<PageState> {
  const { location, addEventListener } = page;
  const store = createStore<PageState>(() => pageIn(location.hash));
  addEventListener('hashchange', () => store.setState(pageIn(location.hash)));
  return store;
}
