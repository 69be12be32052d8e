import { Icon } from '../parts/icon.tsx';
import { Tooltip } from '../parts/feedback/tooltip.tsx';
import styles from './header.module.css';
import { Mark } from './mark.tsx';
import { ModelBadge } from './model-badge.tsx';
import { Navigation } from './navigation.tsx';
import { ThemeChoice } from './theme-choice.tsx';

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
