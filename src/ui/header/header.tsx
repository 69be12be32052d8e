import { Tooltip } from '../parts/feedback/tooltip.tsx';
import { ModelBadge, ThemeChoice } from './header-facts.tsx';
import { Icon, Mark } from './icons.tsx';
import { Navigation } from './navigation.tsx';
import styles from './header.module.css';

const PRIVACY =
  'The model runs inside this page. Prompts, targets and results stay in this browser and are sent nowhere. It works offline.';

/** Name, pages, the model that runs, privacy, theme. */
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
              <span className={styles.words}>Runs on your device</span>
            </button>
          )}
        </Tooltip>
        <ThemeChoice />
      </div>
    </header>
  );
}
