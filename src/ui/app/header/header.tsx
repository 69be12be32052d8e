import { Tooltip } from '../../parts/feedback/tooltip.tsx';
import { appWords } from '../../../words/en/app.ts';
import { ModelBadge, ThemeChoice } from './header-facts.tsx';
import { Icon, Mark } from './icons.tsx';
import { Navigation } from './navigation.tsx';
import styles from './header.module.css';

/** Name, pages, the model that runs, privacy, theme. */
export function Header() {
  const words = appWords();
  return (
    <header className={styles.header}>
      <a className={styles.name} href="." aria-label={words.home}>
        <Mark />
        Lightwell
      </a>
      <Navigation />
      <div className={styles.facts}>
        <ModelBadge />
        <Tooltip text={words.privacy.long}>
          {(describedBy) => (
            <button type="button" className={styles.privacy} aria-describedby={describedBy}>
              <Icon shape="lock" />
              <span className={styles.words}>{words.privacy.short}</span>
            </button>
          )}
        </Tooltip>
        <ThemeChoice />
      </div>
    </header>
  );
}
