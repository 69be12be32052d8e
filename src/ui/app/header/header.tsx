import { isAllKept } from '../../../state/privacy/offline-store.ts';
import { hashOfPage } from '../../../state/page/page-store.ts';
import { Tooltip } from '../../parts/feedback/tooltip.tsx';
import { appWords } from '../../../words/en/app.ts';
import { engineWords } from '../../../words/en/models/engine.ts';
import { useEngineInUse, useStoreValue } from '../../use-stores.ts';
import { KeyboardMap } from '../keys/keyboard-map.tsx';
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
        <PrivacyBadge />
        <ThemeChoice />
        <span className={styles.keys}>
          <KeyboardMap />
        </span>
      </div>
    </header>
  );
}

/** Where the models run, as a link to the page on which it can be checked. */
function PrivacyBadge() {
  const words = appWords().privacy;
  const isAll = useStoreValue('offline', ({ parts }) => isAllKept(parts));
  const engine = useEngineInUse();
  const { inUse } = engineWords();
  const alone = isAll ? `${words.long} ${words.offline}` : words.long;
  return (
    <Tooltip text={engine ? inUse.long(engine.models.join(', '), engine.address) : alone}>
      {(describedBy) => (
        <a
          className={styles.privacy}
          href={hashOfPage('privacy')}
          aria-describedby={describedBy}
          data-testid="privacy-badge"
        >
          <Icon shape={engine ? 'device' : 'lock'} />
          <span className={styles.words}>{engine ? inUse.short(engine.host) : words.short}</span>
        </a>
      )}
    </Tooltip>
  );
}
