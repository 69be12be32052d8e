import { hashOfPage, PAGES } from '../../state/page/page-store.ts';
import { pageName } from '../pages.tsx';
import { useStoreValue } from '../use-stores.ts';
import styles from './header.module.css';

/** Id of the link to the page that is open. */
export const CURRENT_PAGE = 'current-page';

/** The pages of the app, as links. */
export function Navigation() {
  const current = useStoreValue('page', (state) => state.page);
  return (
    <nav className={styles.pages} aria-label="Pages">
      {PAGES.map((page) => (
        <a key={page} href={hashOfPage(page)} {...(page === current && { 'aria-current': 'page', id: CURRENT_PAGE })}>
          {pageName(page)}
        </a>
      ))}
    </nav>
  );
}
