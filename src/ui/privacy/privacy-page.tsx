import { privacyWords } from '../../words/en/privacy.ts';
import { engineWords } from '../../words/en/models/engine.ts';
import { Page } from '../parts/layout/page.tsx';
import { useEngineInUse } from '../use-stores.ts';
import { KeptSection } from './kept-section.tsx';
import { OfflineSection } from './offline-section.tsx';
import { RequestsSection } from './requests-section.tsx';
import { StateSection } from './state-section.tsx';
import styles from './privacy.module.css';

/** What the page asks for, what is kept where, and what works without a network: to be checked, not believed. */
export function PrivacyPage() {
  const words = privacyWords();
  const engine = useEngineInUse();
  const claim = engine ? engineWords().inUse.privacy(engine.models.join(', '), engine.address) : words.claim;
  return (
    <Page title={words.title} claim={claim}>
      <div className={styles.sections}>
        <OfflineSection />
        <RequestsSection />
        <KeptSection />
        <StateSection />
      </div>
    </Page>
  );
}
