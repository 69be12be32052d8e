import { privacyWords } from '../../words/en/privacy.ts';
import { Page } from '../parts/layout/page.tsx';
import { KeptSection } from './kept-section.tsx';
import { OfflineSection } from './offline-section.tsx';
import { RequestsSection } from './requests-section.tsx';
import { StateSection } from './state-section.tsx';
import styles from './privacy.module.css';

/** What the page asks for, what is kept where, and what works without a network: to be checked, not believed. */
export function PrivacyPage() {
  const words = privacyWords();
  return (
    <Page title={words.title} claim={words.claim}>
      <div className={styles.sections}>
        <OfflineSection />
        <RequestsSection />
        <KeptSection />
        <StateSection />
      </div>
    </Page>
  );
}
