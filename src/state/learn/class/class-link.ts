import { hashOfPart } from '../../page/page-store.ts';

/** Begins the hash of a link to a prepared set. */
export const CLASS_PREFIX = '#class=';

/** The part of the Learn page that shows a prepared set. */
export const SET_PART = 'set';

/** The part of a window that a link changes. */
export interface ClassAddress {
  readonly location: Pick<Location, 'hash' | 'replace'>;
  addEventListener(type: 'hashchange', listener: () => void): void;
}

/** Takes a link to a prepared set out of the page's address, which then names the page that shows it; null without one. */
export function takeClassLink({ location }: Pick<ClassAddress, 'location'>): string | null {
  const { hash } = location;
  if (!hash.startsWith(CLASS_PREFIX)) return null;
  location.replace(hashOfPart('learn', SET_PART));
  return hash;
}

/** Opens the sets of links that are followed while the page is open, such as one pasted over its address. */
export function followClassLinks(page: ClassAddress, open: (hash: string) => void): void {
  page.addEventListener('hashchange', () => {
    const hash = takeClassLink(page);
    if (hash !== null) open(hash);
  });
}
