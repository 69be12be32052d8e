import { AccessSection } from './access-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ServiceSection } from './service-section.tsx';
import styles from './settings-page.module.css';

/** What a user may set about how the contract is answered. Each field is kept when it is left. */
export function SettingsPage() {
  return (
    <main>
      <div className={styles.intro}>
        <h1 className={styles.title}>Settings</h1>
        <p className={styles.claim}>How this tab answers, from the next request on.</p>
      </div>
      <div className={styles.sections}>
        <ModelsSection />
        <ServiceSection />
        <AccessSection />
      </div>
    </main>
  );
}
