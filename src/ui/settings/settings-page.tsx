import { AccessSection } from './access-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ServiceSection } from './service-section.tsx';
import styles from './settings-page.module.css';
import { PageHead } from '../parts/layout/page-head.tsx';

/** What a user may set about how the contract is answered. Each field is kept when it is left. */
export function SettingsPage() {
  return (
    <main>
      <PageHead title="Settings" claim="How this tab answers, from the next request on." />
      <div className={styles.sections}>
        <ModelsSection />
        <ServiceSection />
        <AccessSection />
      </div>
    </main>
  );
}
