import { hashOfPage, PAGES } from '../../state/page/page-store.ts';
import { pageName } from '../pages.tsx';
import { Tooltip } from '../parts/feedback/tooltip.tsx';
import { usePage } from '../use-stores.ts';
import { ModelBadge, ThemeChoice } from './header-facts.tsx';
import { Icon, Mark } from './icons.tsx';
import styles from './header.module.css';

const PRIVACY =
  'The model runs inside this page. Prompts, targets and results are kept by this browser and sent nowhere; you can go offline and carry on.';

/** Who this is, which model runs and how, and where the text goes: nowhere. */
export function Header() {
  return (
    <header className={styles.header}>
      <a className={styles.name} href="./" aria-label="Lightwell, start page">
        <Mark />
        Lightwell
      </a>
      <Navigation />
      <div className={styles.facts}>
        <ModelBadge />
        <Tooltip text={PRIVACY}>
          {(describedBy) => (
            <button type="button" className={styles.privacy} aria-describedby={describedBy}>
              <Icon shape="lock" />
              <span>Everything stays in this tab</span>
            </button>
          )}
        </Tooltip>
        <ThemeChoice />
      </div>
    </header>
  );
}

/** The pages of the app, as links. */
function Navigation() {
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
