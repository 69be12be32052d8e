import { hashOfPage, PAGES } from '../../../state/page/page-store.ts';
import { useStoreValue } from '../../use-stores.ts';
import { appWords } from '../../../words/en/app.ts';
import styles from './header.module.css';

/** Id of the link to the page that is open. */
export const CURRENT_PAGE = 'current-page';

/** The pages of the app, as links. */
export function Navigation() {
  const current = useStoreValue('page', (state) => state.page);
  const words = appWords();
  return (
    <nav className={styles.pages} aria-label={words.navigation}>
      {PAGES.map((page) => (
        <a
          key={page}
          href={hashOfPage(page)}
          {...(page === current && { 'aria-current': 'page', id: CURRENT_PAGE, ref: show })}
        >
          {words.pages[page]}
        </a>
      ))}
    </nav>
  );
}

/** On a phone the line of pages is longer than the screen. */
function show(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
