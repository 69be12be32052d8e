import { hashOfPage, PAGES } from '../../state/page/page-store.ts';
import { pageName } from '../page-name.ts';
import { usePage } from '../use-stores.ts';
import styles from './header.module.css';

/** The pages of the app, as links. */
export function Navigation() {
  const current = usePage((state) => state.page);
  return (
    <nav className={styles.pages} aria-label="Pages">
      {PAGES.map((page) => (
        <a key={page} href={hashOfPage(page)} aria-current={page === current ? 'page' : undefined}>
          {pageName(page)}
        </a>
      ))}
    </nav>
  );
}
